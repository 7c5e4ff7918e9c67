/// Who and where one log is about.
struct Cast: Sendable {
    var app: String
    var spelling: Spelling
    /// Minutes east of UTC; `nil` for the form without a zone.
    var zone: Int?
    /// First second, since 1970 UTC.
    var start: Int
    var firstPid: Int
    var beginsMidLife: Bool
    var random: RandomSource

    private static let apps = ["Harbour", "Tidebook", "Postbox", "State Lab", "Pocket2", "Quince"]
    private static let zones = [0, 120, -420, 330, 540, -210]

    /// The cast of the log with a number.
    init(number: Int, options: SimulationOptions) {
        random = RandomSource(seed: options.seed, part: number)
        app = Self.apps[number % Self.apps.count]
        spelling = Spelling.allCases[random.below(Spelling.allCases.count)]
        let isOld =
            switch options.form {
            case .old: true
            case .new: false
            case .alternating: number.isMultiple(of: 2)
            }
        zone = isOld ? nil : Self.zones[random.below(Self.zones.count)]
        start = Int(options.start) + number * 3_600 + random.below(3_600)
        firstPid = 300 + random.below(40_000)
        beginsMidLife = options.midLifeEvery > 0 && number % options.midLifeEvery == options.midLifeEvery - 1
    }

    /// Name of the file: one stream, so that no two logs look like rotations of each other.
    func fileName(number: Int, digits: Int) -> String {
        let word = app.lowercased().filter { $0 != " " }
        let figure = String(number + 1)
        return "\(word)-\(String(repeating: "0", count: max(0, digits - figure.count)))\(figure).log"
    }
}
