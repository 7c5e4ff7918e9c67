/// What a timeline shows: the stays of instances as lanes below each other, all on one axis of time.
package struct Timeline: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    /// The states, in the order of the legend.
    package var states: [State]
    /// The lanes, in the order in which they are drawn; lanes of one group follow each other.
    package var lanes: [Lane]
    /// What else has to be said below the picture (how many runs were left out).
    package var notes: [String]

    /// Lanes drawn at most; the picture says how many there are.
    package static let mostLanes = 150

    package init(title: String, subtitle: String = "", states: [State], lanes: [Lane], notes: [String] = []) {
        self.title = title
        self.subtitle = subtitle
        self.states = states
        self.lanes = lanes
        self.notes = notes
    }

    /// Whether a lane is the first of its run.
    func isFirst(_ place: Int) -> Bool { place == 0 || !isSameRun(place, place - 1) }

    /// Whether a lane is the app's, and the only one of its run.
    func isAlone(_ place: Int) -> Bool {
        guard lanes.indices.contains(place), lanes[place].layer == "app" else { return false }
        return isFirst(place) && (place + 1 == lanes.count || isFirst(place + 1))
    }

    private func isSameRun(_ a: Int, _ b: Int) -> Bool {
        lanes[a].group == lanes[b].group && lanes[a].run == lanes[b].run
    }

    /// A state of the legend.
    package struct State: Sendable, Hashable, Codable {
        package var id: String
        package var title: String
        package var tone: Tone

        package init(id: String, title: String, tone: Tone) {
            self.id = id
            self.title = title
            self.tone = tone
        }
    }

    /// How a state is coloured: from what works for the user to what does not run at all.
    package enum Tone: String, Sendable, Hashable, CaseIterable, Codable {
        /// In front and working (active, appeared).
        case active
        /// On the way (inactive, appearing).
        case transit
        /// Out of sight, running (background, loaded).
        case background
        /// Not running any code (suspended, disappeared).
        case suspended
        /// Outside of life (unattached, unloaded).
        case outside
    }

    /// The stays of one instance.
    package struct Lane: Sendable, Hashable, Codable {
        /// What lanes have in common: the run, by its name and its number, since two runs may have one name.
        package var group: String
        package var run: Int64
        package var title: String
        /// `app`, `scene`, `view` or the id of a user's model.
        package var layer: String
        package var stays: [Stay]
        package var marks: [Mark]

        package init(
            group: String, title: String, layer: String, stays: [Stay], marks: [Mark] = [], run: Int64 = 0
        ) {
            self.group = group
            self.run = run
            self.title = title
            self.layer = layer
            self.stays = stays
            self.marks = marks
        }
    }

    /// One stay in a state. Times in nanoseconds since 1970 UTC.
    package struct Stay: Sendable, Hashable, Codable {
        /// Id of the state.
        package var state: String
        /// Begin and end; `nil` where the log does not show it: the stay reaches to the edge of its lane.
        package var from: Int64?
        package var until: Int64?
        /// Whether the stay, or an end of it, follows from the model and not from a line.
        package var isInferred: Bool
        /// Whether the log begins or ends inside the stay.
        package var isCutLeft: Bool
        package var isCutRight: Bool
        /// Where it is in the log (`app.log:12`).
        package var source: String

        package init(
            state: String, from: Int64?, until: Int64?, isInferred: Bool = false, isCutLeft: Bool = false,
            isCutRight: Bool = false, source: String = ""
        ) {
            self.state = state
            self.from = from
            self.until = until
            self.isInferred = isInferred
            self.isCutLeft = isCutLeft
            self.isCutRight = isCutRight
            self.source = source
        }
    }

    /// A finding at a time.
    package struct Mark: Sendable, Hashable, Codable {
        package var time: Int64?
        package var rule: String
        /// `info`, `warning` or `error`.
        package var severity: String
        package var message: String
        package var source: String

        package init(time: Int64?, rule: String, severity: String, message: String, source: String = "") {
            self.time = time
            self.rule = rule
            self.severity = severity
            self.message = message
            self.source = source
        }
    }
}
