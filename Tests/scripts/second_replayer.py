"""A second replayer, written from the specification and the YAML models; docs/testing.md lists what was settled since.

It reads logs in the shape of NSLog (one stream, any number of processes) and derives runs, events, visits and
transitions of the layers app, scene and view. It keeps everything in memory and does one thing after another: separate
the runs, fold the copies, walk each instance through the edges of its model. `second_opinion.py` compares its results
with a database.
"""

import calendar
import pathlib
import re
import time

SECOND = 1_000_000_000
LAUNCHES = ["willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"]
BACKGROUND_EVENTS = ["performFetch", "didReceiveRemoteNotification"]
LINE = re.compile(
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))? ([^\[]+)\[(\d+):\w+\] (?:-----(\w+)----- )?(.*?)(?: scene=([\w-]+))?$")


class Model:
    """The edges of one model: from which state a callback leads where."""

    def __init__(self, path):
        self.callbacks, self.states, transitions = {}, {}, {}
        section = entry = None
        for line in path.read_text().splitlines():
            indent = len(line) - len(line.lstrip())
            key, _, value = line.strip().partition(":")
            value = value.strip().strip('"')
            if not line.strip() or line.lstrip().startswith(("#", "-")):
                continue
            if indent == 0:
                section = {"states": self.states, "callbacks": self.callbacks, "transitions": transitions}.get(key)
                if key == "initial":
                    self.initial = value
            elif indent == 2 and section is not None:
                entry = section[key] = {}
            elif indent == 4 and section is not None:
                entry[key] = value
        self.edges = {}
        for transition in transitions.values():
            for start in self.named(transition["from"]):
                self.walk(start, self.named(transition["to"]), transition.get("callbacks", ""))
        for state, entry in self.states.items():
            for callback in re.findall(r"\w+", entry.get("accepts", "")):
                self.edges.setdefault((state, callback), set()).add(state)

    def named(self, text):
        return list(self.states) if text == "any" else re.findall(r"\w+", text)

    def walk(self, start, ends, path):
        """Adds the edges of a path such as `[a], b|c -> state, {d, e}*`."""
        at = [start]
        for step in re.findall(r"\{[^}]*\}[*+]|[^,]+", path):
            names, _, target = step.partition("->")
            if not re.search(r"\w", names):
                continue  # a silent change goes before: no callback shows where it leads
            targets = re.findall(r"\w+", target) or ends
            for state in at:
                for callback in re.findall(r"\w+", names):
                    self.edges.setdefault((state, callback), set()).update(targets)
            optional = "[" in step or "*" in step
            at = targets + (at if optional else [])

    def proves(self, callback):
        return self.callbacks.get(callback, {}).get("proves")

    def before(self, callback):
        return self.callbacks.get(callback, {}).get("before")

    def is_supplementary(self, callback):
        return self.callbacks.get(callback, {}).get("supplementary") == "yes"


def canonical(message, models):
    """The layer and id of the callback that a message names, by the spellings of the specification's appendix 1."""
    word = message.replace("application(_:", "").replace("application:", "").replace("scene(_:", "").replace("scene:", "")
    word = re.match(r"\W*(?:\[?\w+ )?(\w+)", word.lstrip("-+[")).group(1) if re.search(r"\w", word) else ""
    word = {"willConnectTo": "sceneWillConnect", "willConnectToSession": "sceneWillConnect",
            "configurationForConnecting": "configurationForConnectingSceneSession",
            "performFetchWithCompletionHandler": "performFetch",
            "applicationDidReceiveMemoryWarning": "didReceiveMemoryWarning", "deinit": "dealloc"}.get(word, word)
    for layer, model in models.items():
        if word in model.callbacks:
            return layer, word
    return None, None


class Line:
    def __init__(self, text, number, models):
        date, fraction, self.app, pid, label, message, scene = LINE.match(text).groups()
        self.text, self.number, self.pid = text, number, int(pid)
        seconds = calendar.timegm(time.strptime(date, "%Y-%m-%d %H:%M:%S"))
        self.ns = seconds * SECOND + int((fraction or "0").ljust(9, "0"))
        self.layer, self.callback = canonical(message, models)
        if self.layer is None or self.layer == "view" and label is None:
            self.layer = self.callback = None
        self.is_equal = False
        self.changes = self.layer is not None and not models[self.layer].is_supplementary(self.callback)
        self.label = {"view": label, "scene": scene}.get(self.layer) or "app"


def without_repeated_blocks(lines):
    """Leaves out blocks that repeat lines in order: where the clock steps back to a line that is there already, and the
    next line is the next one there as well. Inside one tick of the clock the same sequence may well happen twice. The
    last line of a log that may begin such a block does not count yet."""
    kept, places, waiting, last, latest = [], [], None, None, None
    for line in lines:
        if places or last is not None and line.ns < last:
            places = [place + 1 for place in places if place + 1 < len(kept) and kept[place + 1].text == line.text]
            if not places and waiting:
                waiting.is_equal = True
                kept.append(waiting)
            waiting = None
            if not places and line.ns < last and line.ns < latest:
                places = [place for place, other in enumerate(kept) if other.text == line.text]
                waiting = line if places else None
            last = line.ns
            if places:
                continue
        kept.append(line)
        last, latest = line.ns, max(line.ns, latest or 0)
    return kept


class Run:
    def __init__(self, line):
        self.app, self.pid, self.lines, self.launched, self.ended = line.app, line.pid, [], set(), False
        self.reason, self.profile = "log_end", "app"
        self.events, self.visits, self.transitions = {}, {}, {}

    def begins_again(self, line):
        """Whether a launch callback belongs to another launch than this run's."""
        if line.callback not in LAUNCHES:
            return False
        previous = [each for each in self.lines if each.layer in ("app", "scene")]
        of_app = [each for each in previous if each.layer == "app"]
        if of_app and of_app[-1].callback == line.callback and abs(line.ns - of_app[-1].ns) <= SECOND // 10:
            return False
        # What changes no state does not show that the process had been launched.
        if self.ended or any(each.layer == "scene" or each.changes and each.callback not in LAUNCHES for each in previous):
            return True
        late = bool(previous) and line.ns - previous[0].ns > 120 * SECOND
        # will-finish after did-finish is another launch, unless the two are so close that they are in the wrong order.
        swapped = line.callback == LAUNCHES[0] and line.ns - previous[-1].ns > SECOND // 10 if previous else False
        return line.callback in self.launched or bool(self.launched) and (swapped or late)

    def add(self, line):
        self.lines.append(line)
        if line.callback in LAUNCHES:
            self.launched.add(line.callback)
        self.ended = self.ended or line.callback == "applicationWillTerminate"


def separated(lines):
    """The runs of a log, in the order of their first lines."""
    runs, current = [], {}
    for line in lines:
        run = current.get((line.app, line.pid))
        if run is None or run.begins_again(line):
            run = current[line.app, line.pid] = Run(line)
            runs.append(run)
        run.add(line)
    runs = [run for run in runs if any(line.callback for line in run.lines)]
    for run in runs:
        following = [other for other in runs if other is not run and other.app == run.app
                     and other.lines[0].number > run.lines[-1].number]
        run.followed = bool(following)
        # How long the run is known to be silent: until the end of the log, if it can still go on.
        goes_on = not following and not run.ended and run.lines[-1].ns == max(line.ns for line in run.lines)
        run.known_until = max(line.ns for line in lines if line.number >= run.lines[-1].number) if goes_on else run.lines[-1].ns
    return runs


class Machine:
    """One instance on its way through a model."""

    def __init__(self, model, mid_life):
        self.model, self.visits, self.transitions = model, [], []
        self.state, self.entered, self.certain = "unknown" if mid_life else model.initial, None, False
        self.is_new, self.heard, self.went_back, self.previous = True, None, False, None
        self.has_moved, self.saw_beginning = False, False

    def is_another(self, launched):
        """Whether a view that loads is another controller of the label: it has loaded before, or it lived before the log."""
        return self.saw_beginning or not launched and self.has_moved and not self.action("viewDidLoad", self.state)[0]

    def hear(self, ns):
        """Where the clock goes back between two events, nobody knows how long the visit across them lasted."""
        self.went_back = self.went_back or self.heard is not None and ns < self.heard
        self.heard = ns

    def leaves(self, callback):
        """Whether a callback leads out of the present state."""
        targets = self.model.edges.get((self.state, callback), {self.model.proves(callback) or self.state})
        return not self.model.is_supplementary(callback) and self.state not in targets

    def step(self, callback, ns, choose=None, certain=True):
        self.hear(ns)
        if self.model.is_supplementary(callback):
            return
        if self.state == "unknown" and self.model.before(callback) in self.model.states:
            self.state = self.model.before(callback)
        documented, target = self.action(callback, self.state, choose)
        if not documented and self.previous and self.previous[0] == ns:
            # Two lines of one time may be in the wrong order: this one belongs before the other where only that is legal.
            _, other, before = self.previous
            first, between = self.action(callback, before, choose)
            second, after = self.action(other, between)
            if first and second:
                if after != self.state:
                    self.move(after, callback, ns, False, certain)
                return
        self.previous = ns, callback, self.state
        self.is_new = self.is_new and target == "unknown"
        if target != self.state:
            self.move(target, callback, ns, documented, certain)

    def action(self, callback, state, choose=None):
        """Whether a callback is documented in a state, and the state after it."""
        if state == "unknown":
            return True, self.model.proves(callback) or state
        targets = self.model.edges.get((state, callback), set())
        if choose and choose in targets:
            return True, choose
        if state in targets:
            return True, state
        return bool(targets), min(targets) if targets else self.model.proves(callback) or state

    def move(self, target, callback, ns, documented, certain=True):
        if self.state != "not_running":
            self.close(ns)
        if self.state != "unknown":
            self.transitions.append((self.state, target, callback, ns, documented))
        self.state, self.entered, self.certain, self.went_back = target, ns, certain, False

    def begin(self, ns):
        """The life of an instance begins with its first line, in its model's initial state."""
        self.entered, self.certain = ns, True

    def close(self, left):
        if self.state != "unknown":
            known = self.certain and left is not None and not self.went_back
            self.visits.append((self.state, self.entered if known or self.certain and left is None else None, left, known))


def play(run, models, log_began):
    # A run follows the scene profile from its first scene callback on: what came before stays as it was.
    first_scene = next((place for place, line in enumerate(run.lines) if line.layer == "scene"), len(run.lines))
    run.profile = "scene" if first_scene < len(run.lines) else "app"
    machines, previous, count, over, replaced = {}, {}, {}, set(), []
    app_lines = [line for line in run.lines if line.layer == "app" and line.changes]
    plain_lines = [line for line in run.lines[:first_scene] if line.layer == "app"]
    whole = bool(app_lines) and app_lines[0].callback in LAUNCHES
    # The launch may have begun before the log: its first callback may be missing.
    launch = app_lines[0] if whole else None
    begun = whole and not (app_lines[0].callback == LAUNCHES[1] and app_lines[0].ns - log_began <= 120 * SECOND)
    app, launched = Derived(models["app"], whole), False
    for place, line in enumerate(run.lines):
        if line.layer is None:
            continue
        key = line.layer, line.label.lower()
        last = previous.get(key)
        if last and last.callback == line.callback and abs(line.ns - last.ns) <= SECOND // 10 \
                and "Layout" not in line.callback:
            continue
        if line.is_equal and line.callback == "dealloc" and (key not in machines or key in over):
            continue  # no object is left that it could end: the line is the one that ended it
        previous[key] = line
        launched = launched or line is launch
        if line is launch:
            for machine in machines.values():
                machine.certain = False  # may be of the process before, of which the log does not show the end
        begins = line.callback in ("viewDidLoad", "init", "sceneWillConnect")
        if line.layer == "view" and (key in over or line.callback == "viewDidLoad" and key in machines
                                    and machines[key].is_another(launched)):
            count[key] = count.get(key, 1) + 1
            over.discard(key)
            replaced.append(machines.pop(key))
        name = line.layer, line.label.lower() + (f"#{count[key]}" if key in count else "")
        run.events.setdefault(name, []).append((line.callback, line.ns))
        if line.callback in BACKGROUND_EVENTS and app.state == "background":
            app.was_in_background = True
        if line.layer == "app" and run.profile == "scene" and (
                place > first_scene or line.callback in LAUNCHES and not state_lines(plain_lines)):
            app.hear(line.ns)
            app.notified.add(models["app"].proves(line.callback))
            if line.callback in LAUNCHES:
                app.launch(line.callback, line.ns, begun)
            elif line.callback == "applicationWillTerminate":
                app.end(line.callback, line.ns)
            continue
        fresh = key not in machines if line.layer != "app" else app.entered is None and app.is_new and not app.heard
        if line.layer == "app":
            machine, app.name = app, name
        elif fresh:
            machine = machines[key] = Machine(models[line.layer], not (begins or launched or key in count))
            machine.name = name
        else:
            machine = machines[key]
        if fresh and not machine.leaves(line.callback) and launched:
            machine.begin(line.ns)
        certain = begun if line.callback in LAUNCHES else not machine.is_new or begins or launched or key in count
        machine.has_moved |= line.changes
        machine.saw_beginning |= begins
        choose, guessed = launch_state(run, plain_lines) if line.callback in LAUNCHES else (None, False)
        if place == first_scene and not whole:
            app.certain = False  # a scene that the log does not show may have kept the app where it is
        if line.layer == "scene" and not whole:
            app.begin_with(models["scene"].before(line.callback))
        machine.step(line.callback, line.ns, choose, certain and not guessed)
        if guessed and line is launch:
            machine.transitions.clear()  # inferred, not observed
        run.visits[name], run.transitions[name] = machine.visits, machine.transitions
        if line.layer == "scene":
            app.follow({each.name: each.state for each in machines.values() if each.model is models["scene"]}, line.ns)
        if machine.state == "deallocated":
            over.add(key)
    finish(run, machines, app, replaced)


def state_lines(app_lines):
    """The callbacks that change the state of an app without scenes, until it terminates."""
    changing = [line for line in app_lines if line.callback.startswith("application")]
    end = next((place + 1 for place, line in enumerate(changing) if line.callback == "applicationWillTerminate"), None)
    return changing[:end]


def launch_state(run, app_lines):
    """Whether a launch led into the foreground or the background: by what follows it."""
    rest = [line for line in app_lines if line.callback not in LAUNCHES]
    changing = state_lines(rest)
    if changing and changing[0].callback == "applicationDidEnterBackground":
        return "background", False
    for line in changing:
        if line.callback == "applicationWillEnterForeground":
            break
        if line.callback in ("applicationDidBecomeActive", "applicationWillResignActive"):
            return "inactive", False
    launch = [line for line in app_lines if line.callback in LAUNCHES][-1]
    silent = (changing[0].ns if changing else run.known_until) - launch.ns > 20 * SECOND
    before = rest[:rest.index(changing[0])] if changing else rest
    woken = any(line.callback in BACKGROUND_EVENTS for line in before)
    return ("background", not changing) if silent or woken else ("inactive", False)


class Derived(Machine):
    """The app of a run with scenes: as active as its most active scene, in the background without one."""

    RANK = {"fg_active": "active", "fg_inactive": "inactive"}

    def __init__(self, model, whole):
        super().__init__(model, mid_life=not whole)
        self.whole, self.was_in_background, self.launched_with_scenes, self.notified = whole, False, False, set()

    def launch(self, callback, ns, begun):
        if self.state == "not_running":
            self.move("background", callback, ns, True, begun)
            self.launched_with_scenes = True

    def begin_with(self, scene_state):
        """In a log that begins in the middle of a run, the first scene shows the app's state."""
        if self.state == "unknown" and scene_state is not None:
            self.state = self.RANK.get(scene_state, "background")

    def follow(self, states, ns):
        if set(states.values()) <= {"unknown"}:
            return
        self.was_in_background |= not set(states.values()) & set(self.RANK) and "background" in states.values()
        target = next((self.RANK[state] for state in self.RANK if state in states.values()), "background")
        if target != self.state and self.state != "not_running":
            self.hear(ns)
            documented = any(start == self.state and target in ends for (start, _), ends in self.model.edges.items())
            self.move(target, None, ns, documented, certain=self.whole)
            if not self.whole and self.transitions:
                self.transitions.pop()  # inferred: scenes that the log does not show may be more active

    def end(self, callback, ns):
        if self.state != "not_running":
            self.move("not_running", callback, ns, True)


def finish(run, machines, app, replaced):
    """Ends what is still open: by a callback, by the next process of the app, or by the end of the log."""
    if app.heard or run.profile == "scene":
        run.visits["app", "app"], run.transitions["app", "app"] = app.visits, app.transitions
    app_lines = [line for line in run.lines if line.layer == "app" and line.changes]
    state = app.state if app.heard or run.profile == "scene" else None
    launch_moves = LAUNCHES if app.launched_with_scenes else []
    reached = {target for _, target, callback, *_ in app.transitions if callback not in launch_moves}
    reached |= app.notified | ({"background"} if app.was_in_background else set())
    life = run.lines[-1].ns - app_lines[0].ns if app_lines else 0
    # Before its first scene connects, the app is in the background, but was launched there only if it lives on.
    failed = run.launched and not reached & {"active", "background"} and life <= 60 * SECOND \
        and (state != "background" or run.profile == "scene" and life <= 20 * SECOND)
    if run.ended:
        run.reason = "terminated"
    elif run.followed and state not in (None, "unknown"):
        run.reason = "launch_failure" if failed else "killed_in_background" if state == "background" else "abnormal_in_foreground"
    for machine in [*machines.values(), *replaced, app]:
        if machine.state not in ("not_running", "deallocated", "discarded"):
            machine.close(None)


def load_models(folder):
    return {layer: Model(pathlib.Path(folder) / f"{layer}.yaml") for layer in ("app", "scene", "view")}


def replay(text, models):
    lines = [Line(line, number, models) for number, line in enumerate(text.splitlines(), 1)]
    runs = separated(without_repeated_blocks(lines))
    for run in runs:
        play(run, models, lines[0].ns)
    return runs
