"""A second replayer of iOS lifecycle logs. Its author knew the documentation of the lifecycle and the meaning of the
results, and has read neither the Swift code nor the YAML models. docs/testing.md lists what was settled since.

It reads one NSLog-style log ("2024-03-09 10:00:00 Demo[100:1] message") and says what runs, events, visits and
transitions it holds. It is an oracle, so it does one thing after another and never looks for speed:

1. `Event`   every line is a lifecycle callback of an instance
2. `pasted`, `Fold`   copies of one execution become one event
3. `split_into_runs`   one run is one process lifetime
4. `Run.replay`    each instance walks through the edges of its model

APP-T03 and the like in the comments are transitions of the models, R-APP-02 and TL-01 are rules and limits.
"""

import calendar
import re
import time

SECOND = 1_000_000_000
TWINS = SECOND // 10  # further lines of one execution follow within 100 ms
LAUNCH_SILENCE = 20 * SECOND  # a launch followed by nothing for so long was one into the background
APP_NAME = "app"

# The models: state -> callback -> next state. What is not listed is not documented.

LAUNCHES = {"willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"}
APP_EDGES = {
    "not_running": {"willFinishLaunchingWithOptions": "inactive",
                    "didFinishLaunchingWithOptions": "inactive"},  # APP-T01
    "inactive": {"didFinishLaunchingWithOptions": "inactive",
                 "applicationDidBecomeActive": "active",  # APP-T02
                 "applicationDidEnterBackground": "background",  # APP-T05
                 "applicationWillTerminate": "not_running"},  # APP-T15
    "active": {"applicationWillResignActive": "inactive"},  # APP-T04
    "background": {"didFinishLaunchingWithOptions": "background",
                   "applicationWillEnterForeground": "inactive",  # APP-T06
                   "applicationDidEnterBackground": "background",  # a wake-up
                   "applicationWillTerminate": "not_running"},  # APP-T10
}
SCENE_EDGES = {
    "unattached": {"configurationForConnectingSceneSession": "unattached", "sceneWillConnect": "unattached",
                   "sceneWillEnterForeground": "fg_inactive",  # SCN-T02
                   "sceneDidEnterBackground": "background",  # SCN-T03
                   "sceneDidDisconnect": "unattached",  # after sceneWillConnect
                   "didDiscardSceneSessions": "discarded"},  # SCN-T12
    "fg_inactive": {"sceneDidBecomeActive": "fg_active",  # SCN-T04
                    "sceneDidEnterBackground": "background",  # SCN-T06
                    "sceneDidDisconnect": "unattached"},  # SCN-T11
    "fg_active": {"sceneWillResignActive": "fg_inactive"},  # SCN-T05
    "background": {"sceneWillEnterForeground": "fg_inactive",  # SCN-T07
                   "sceneDidDisconnect": "unattached"},  # SCN-T10
}
LAYOUT = {"viewWillLayoutSubviews", "viewDidLayoutSubviews"}
OFF_SCREEN = {"unknown", "unloaded", "loaded", "disappeared", "deallocated"}
# A change of screen is called off: of two controllers of one name, rather the other one moves.
CANCELLED = {("appearing", "viewWillDisappear"), ("disappearing", "viewWillAppear"),
             ("disappearing", "viewIsAppearing"), ("disappearing", "viewDidAppear")}
VIEW_EDGES = {
    "unloaded": {"viewDidLoad": "loaded", "dealloc": "deallocated"},  # VC-T02, T11
    "loaded": {"viewWillAppear": "appearing", "dealloc": "deallocated"},  # VC-T03
    "appearing": {"viewIsAppearing": "appearing", "viewDidAppear": "appeared", "viewWillDisappear": "disappearing",
                  "viewWillLayoutSubviews": "appearing", "viewDidLayoutSubviews": "appearing"},  # VC-T04, T05, T10
    "appeared": {"viewWillDisappear": "disappearing",
                 "viewWillLayoutSubviews": "appeared", "viewDidLayoutSubviews": "appeared"},  # VC-T06, T07
    "disappearing": {"viewDidDisappear": "disappeared", "viewDidAppear": "appeared",
                     "viewWillAppear": "appearing", "viewIsAppearing": "appearing",
                     "viewWillLayoutSubviews": "disappearing", "viewDidLayoutSubviews": "disappearing"},  # VC-T08, T09
    "disappeared": {"viewWillAppear": "appearing", "dealloc": "deallocated"},
}
# The state that a callback proves wherever it comes; a callback that is missing here proves none.
PROVES = {
    "applicationDidBecomeActive": "active", "applicationWillResignActive": "inactive",
    "applicationDidEnterBackground": "background", "applicationWillEnterForeground": "inactive",
    "applicationWillTerminate": "not_running",
    "sceneWillConnect": "unattached", "sceneWillEnterForeground": "fg_inactive", "sceneDidBecomeActive": "fg_active",
    "sceneWillResignActive": "fg_inactive", "sceneDidEnterBackground": "background",
    "sceneDidDisconnect": "unattached", "didDiscardSceneSessions": "discarded",
    "viewDidLoad": "loaded", "viewWillAppear": "appearing", "viewIsAppearing": "appearing", "viewDidAppear": "appeared",
    "viewWillDisappear": "disappearing", "viewDidDisappear": "disappeared", "dealloc": "deallocated",
}
EDGES = {"app": APP_EDGES, "scene": SCENE_EDGES, "view": VIEW_EDGES}
INITIAL = {"app": "not_running", "scene": "unattached", "view": "unloaded"}
FINAL = {"not_running", "discarded", "deallocated"}  # the life of an instance ends here (if it does)

# The callbacks that tell that an app logs when it, or a scene, is active.
ACTIVE = {"applicationDidBecomeActive", "applicationWillResignActive", "sceneDidBecomeActive", "sceneWillResignActive"}

# The callbacks that show where a scene is: in the foreground or in the background.
ACTIVATIONS = {"sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive", "sceneDidEnterBackground"}

# The states before the first callback of an instance where only one is documented.
BEFORE = {
    "applicationDidBecomeActive": "inactive", "applicationWillResignActive": "active",
    "applicationWillEnterForeground": "background",
    "sceneWillConnect": "unattached", "sceneDidBecomeActive": "fg_inactive", "sceneWillResignActive": "fg_active",
    "didDiscardSceneSessions": "unattached",
    "viewDidLoad": "unloaded", "viewIsAppearing": "appearing", "viewDidAppear": "appearing",
    "viewWillDisappear": "appeared", "viewDidDisappear": "disappearing",
}

SPELLINGS = [  # the first that matches is it
    ("willFinishLaunchingWithOptions", "willFinishLaunchingWithOptions"),
    ("didFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"),
    ("configurationForConnectingSceneSession", "configurationForConnectingSceneSession"),
    ("didDiscardSceneSessions", "didDiscardSceneSessions"),
    ("willConnectTo", "sceneWillConnect"),
    ("DidReceiveMemoryWarning", "didReceiveMemoryWarning"),
    ("performFetchWithCompletionHandler", "performFetch"),
]
SPELLINGS += [(name, name) for name in PROVES] + [(name, name) for name in sorted(LAYOUT)]
OF_SCENES = {"configurationForConnectingSceneSession", "didDiscardSceneSessions"}


# Reading and folding.

class Event:
    """One line that is a callback, and then one event."""

    def __init__(self, place, text):
        clock, fraction, pid, message = re.match(
            r"(\d+-\d+-\d+ \d+:\d+:\d+)(?:\.(\d+))? Demo\[(\d+):1\] (.*)", text).groups()
        self.place, self.text, self.pid = place, text, pid
        whole = calendar.timegm(time.strptime(clock, "%Y-%m-%d %H:%M:%S"))
        self.time = whole * SECOND + int((fraction or "").ljust(9, "0"))
        self.callback = next(name for spelling, name in SPELLINGS if spelling in message)
        view = re.match(r"-----(\w+)-----", message)
        scene = re.search(r"scene=(\S+)", message)
        if view:
            self.layer, self.label = "view", view.group(1).lower()
        elif self.callback.startswith("scene") or self.callback in OF_SCENES:
            self.layer, self.label = "scene", scene.group(1).lower()
        else:
            self.layer, self.label = "app", APP_NAME


def pasted(lines):
    """The places of the lines that were pasted: a block of lines that repeats in order.

    The clock steps back to its first line, and that line and those after it stand there before, in the same order. Lines
    of one time prove no copy: order decides. At the end of a log one line is enough: the rest may follow.
    """
    places, place = set(), 1
    texts = [line.text for line in lines]
    while place < len(lines):
        size = 0
        if lines[place].time < lines[place - 1].time:
            for first in range(place):
                length = 0
                while (first + length < place and place + length < len(lines)
                       and texts[first + length] == texts[place + length]):
                    length += 1
                size = max(size, length)
        if size > 1 or size == 1 and place + 1 == len(lines):
            places |= set(range(place, place + size))
        place += max(size, 1)
    return places


class Fold:
    """One execution, one event: the same callback of one instance again, with no other of it between.

    It is the same execution within 100 ms, and a copy when the lines are identical, whatever lies between.
    Layout callbacks are never folded.
    """

    def __init__(self, deallocs):
        self.last, self.deallocs = {}, deallocs

    def takes(self, line, before_line):
        instance = (line.layer, line.label)
        before = self.last.get(instance)
        if before and before.callback == line.callback and line.callback not in LAYOUT:
            if before.text == line.text or abs(line.time - before.time) <= TWINS:
                return True
        if line.callback == "dealloc":
            # A copy of the end of an earlier controller, whose callbacks all came before it.
            is_last = not before or before.callback == "dealloc"
            if line.text in self.deallocs and line.time < before_line.time and is_last:
                return True
            self.deallocs.add(line.text)
        self.last[instance] = line
        return False


# Runs.

def has_launched(run, line):
    """Whether the pid of a run had launched before this launch callback, so that it begins another run."""
    seen = {event.callback for event in run.log}
    # Several parts of an app may print that it has launched (R-APP-03); no system gives a process id again so soon.
    is_over = any(event.layer == "scene" or event.layer == "app" and event.callback in PROVES for event in run.log)
    if (line.callback == "didFinishLaunchingWithOptions" and line.callback in seen and not is_over
            and line.time - run.log[0].time <= 60 * SECOND):
        return False
    if "didFinishLaunchingWithOptions" in seen or line.callback in seen:
        # The two launch callbacks in the wrong order, within one execution: R-APP-02 judges them within one run.
        return (line.callback in seen or abs(line.time - run.last_launch().time) > TWINS
                or any(event.callback in PROVES and event.layer != "view" for event in run.log))
    if seen & LAUNCHES and line.time - run.last_launch().time > 60 * SECOND:
        return True
    # A scene that connects a moment before the first launch callback is of the same launch.
    if (not seen & LAUNCHES and abs(line.time - run.log[0].time) <= SECOND
            and any(event.layer == "scene" for event in run.log)
            and not any(event.callback in ACTIVATIONS or event.layer == "app" and event.callback in PROVES
                        for event in run.log)):
        return False
    # Whoever has become active, or connected a scene, has launched, though the log may not show it.
    # View controllers may load between the two launch callbacks (R-VC-08), and memory may run short.
    return is_over


def split_into_runs(lines):
    runs, current, copies, deallocs = [], {}, pasted(lines), {}
    for previous, line in zip(lines[:1] + lines, lines):
        run = current.get(line.pid)
        if line.place in copies:
            continue
        if run and run.fold.takes(line, previous):
            run.last_seen = line.place
            continue
        if run is None or line.callback in LAUNCHES and has_launched(run, line):
            run = current[line.pid] = Run(deallocs.setdefault(line.pid, set()))
            runs.append(run)
            run.fold.takes(line, previous)
        run.log.append(line)
        run.last_seen = line.place
    for run in runs:
        # A new process of the app, after which this one shows no more line, ended it.
        run.superseded = any(other.log[0].place > run.last_seen for other in runs)
    return runs


# Replay.

class Instance:
    """One app, scene or view controller on its way through its model."""

    def __init__(self, layer, state, run):
        self.layer, self.state, self.assumed, self.doubtful = layer, state, False, False
        self.run = run
        self.entered, self.entry_observed, self.border = None, False, None
        self.clock, self.stepped_back, self.first, self.previous = None, False, True, None
        self.visits, self.transitions, self.been = [], [], {state}

    def move(self, state, callback, when, documented, observed=True, entry_observed=None):
        """One border. `entry_observed`: whether the stay that begins here began here for sure."""
        if self.state != "not_running":
            # A stay across a step back of the clock has no dwell and so is not complete.
            hides_active = self.hides_active() and state not in ("active", "fg_active")
            complete = self.entry_observed and observed and not self.stepped_back and not hides_active
            self.visits.append((self.state, self.entered if complete else None, when, int(complete)))
        if observed:
            self.border = (self.state, state, callback, when)
            self.transitions.append((*self.border, documented))
        self.state, self.entered, self.stepped_back, self.first = state, when, False, False
        self.entry_observed = observed if entry_observed is None else entry_observed
        self.been.add(state)

    def hides_active(self):
        """Whether a stay may have been an active one in between, because no line so far tells that the app logs these."""
        return self.state in ("inactive", "fg_inactive") and not self.run.tells_active

    def hear(self, event):
        """Every event of the instance shows whether the clock stepped back."""
        if self.clock is not None and event.time < self.clock:
            self.stepped_back = True
        self.clock = event.time

    def step(self, event):
        callback = event.callback
        sure = True
        if self.state == "unknown":
            # Unknown until the first callback whose state before is unique. Whether that callback came a second
            # time is unknown too: the stay that it begins is cut as well.
            if callback in BEFORE:
                self.state, self.assumed = BEFORE[callback], True
                self.been.add(self.state)
                sure = callback == "viewDidLoad"  # it comes once in a life
            elif callback in PROVES:
                self.state, self.entered = PROVES[callback], event.time
                self.been.add(self.state)
                self.border = ("unknown", self.state, callback, event.time)
                return
        elif self.state == INITIAL[self.layer] and self.entered is None and self.first:
            self.entered, self.entry_observed = event.time, True  # it begins here, unless this callback ends that stay
        legal = EDGES[self.layer].get(self.state, {}).get(callback)
        state = legal if legal is not None else PROVES.get(callback, self.state)
        if legal is None and self.swapped(event):
            state = self.state  # it belongs before the callback of the same time that came before it
        elif callback in PROVES or callback in LAYOUT:
            if legal is None and state == self.state and callback in PROVES and callback != self.previous:
                self.stepped_back = True  # it has been in another state, and no line tells when
            self.previous = callback
        if state != self.state:
            if self.first:
                self.entered, self.entry_observed = None, False
            self.move(state, callback, event.time, int(legal is not None), entry_observed=sure and not self.doubtful)
            self.doubtful = False
        self.first = False

    def swapped(self, event):
        """Whether this callback and the one of the last border, of the same time, were legal in the other order."""
        if self.border is None or self.border[3] != event.time:
            return False
        old, now, callback, _ = self.border
        edges = EDGES[self.layer]
        fits = [state for state in edges if edges.get(edges[state].get(event.callback), {}).get(callback) == now]
        # Where the state before was assumed, any other would do, but then what follows is not sure.
        unsure = old == "unknown" or self.assumed and len(self.transitions) == 1
        self.doubtful = bool(fits) and old not in fits and unsure
        return now == self.state and (old in fits or self.doubtful)

    def end(self):
        """What was logged ends before the stay does, whether the log is cut or the process ended silently."""
        if self.state not in FINAL and self.state != "unknown":
            certain = self.entry_observed and not self.hides_active()
            self.visits.append((self.state, self.entered if certain else None, None, 0))


class Run:
    def __init__(self, deallocs):
        self.log, self.superseded, self.reason, self.tells_active = [], False, None, False
        self.fold, self.last_seen, self.background_seen = Fold(deallocs), None, False
        self.events, self.visits, self.transitions = {}, {}, {}

    def last_launch(self):
        return [event for event in self.log if event.callback in LAUNCHES][-1]

    def launched_into_background(self, steps, later, launch, log_ended):
        """APP-T03: whether the launch led to the background, and whether a callback says so."""
        if not steps:
            fetched = any(event.callback == "performFetch" for event in later)
            last = later[-1].time if later else launch.time
            lives = (last if self.superseded or last < launch.time else log_ended) - launch.time > LAUNCH_SILENCE
            return (True, False, False) if fetched or lives else (False, True, True)
        before = [event for event in later if event.place < steps[0].place]
        fetched = any(event.callback == "performFetch" for event in before)
        late = steps[0].time - launch.time > LAUNCH_SILENCE
        if steps[0].callback == "applicationDidEnterBackground":
            # So late it comes from the foreground; when the app was where before, no callback says.
            return (False, True, False) if late and not fetched else (True, True, True)
        if steps[0].callback not in ("applicationWillEnterForeground", "applicationWillTerminate"):
            return False, True, True  # a become-active without an enter-foreground tells that it was no such launch
        return fetched or late, True, True

    def replay(self, log_began, log_ended, runs):
        launches = [n for n, event in enumerate(self.log) if event.callback in LAUNCHES]
        launched = bool(launches)
        # Scenes count from the first scene callback on, or a log cut before it would add visits.
        scenes_from = next((n for n, event in enumerate(self.log) if event.layer == "scene"), len(self.log))
        instances, number, self.replaced = {}, {}, {}
        app = Instance("app", "not_running" if launched else "unknown", self)
        self.mid_life, self.scenes_tell = not launched, False
        for n, event in enumerate(self.log):
            self.tells_active |= event.callback in ACTIVE
            if event.layer == "app":
                self.events.setdefault(("app", APP_NAME), []).append((event.callback, event.time))
                instances[("app", APP_NAME)] = app
                app.hear(event)
                if event.callback in LAUNCHES and app.state == "not_running" and not app.transitions:
                    # Whether the controllers before it are of this process is not sure: if a process with this pid
                    # lived before the log began, their stays ended with it.
                    for key, instance in instances.items():
                        if key[0] == "view" and key in number.get((key[0], key[1].split("#")[0]), [key]):
                            instance.entry_observed = False
                    self.launch(app, event, scenes_from, log_began, log_ended, runs)
                elif n < scenes_from:
                    app.step(event)
                elif event.callback == "applicationWillTerminate" and app.state != "not_running":
                    if app.state != "unknown":
                        app.move("not_running", event.callback, event.time, 1)
                    app.state = "not_running"
                elif launched and n > launches[0] and not self.scenes_tell and event.callback in PROVES:
                    app.step(event)  # until a scene shows where it is, notifications tell where the app is
                continue
            name = self.name_of(event, instances, number)
            self.events.setdefault(name, []).append((event.callback, event.time))
            if name == ("view", APP_NAME):
                continue
            if name not in instances:
                known = launched and n > launches[0] or "#" in name[1]
                instances[name] = Instance(event.layer, INITIAL[event.layer] if known else "unknown", self)
            instances[name].hear(event)
            if event.layer == "scene":
                self.step_scene(app, instances[name], event, instances)
                instances[("app", APP_NAME)] = app
            else:
                instances[name].step(event)
        self.finish(app, instances)

    def launch(self, app, event, scenes_from, log_began, log_ended, runs):
        """The first launch callback: it leads to the foreground, or to the background as the callbacks after it say."""
        # A launch of which only didFinish… is logged may have begun before the log did,
        # unless the log shows an earlier launch of the app.
        sure = (event.callback == "willFinishLaunchingWithOptions" or event.time - log_began > 120 * SECOND
                or self.follows_launch(event, runs))
        last_launch = self.last_launch()
        later = [other for other in self.log[:scenes_from] if other.place > last_launch.place]
        steps = [other for other in later if other.layer == "app" and other.callback in PROVES]
        self.launched_as_app = scenes_from == len(self.log) or bool(steps)
        if not self.launched_as_app:
            background, observed, entry = True, True, True  # an app with scenes launches into the background
        else:
            background, observed, entry = self.launched_into_background(steps, later, last_launch, log_ended)
        app.move("background" if background else "inactive", event.callback, event.time, 1,
                 observed=observed, entry_observed=sure and observed and entry)

    def follows_launch(self, launch, runs):
        """Whether an earlier process of the app has launched in the log, and more: pids ascend."""
        launched = set()
        for run in runs:
            if run is self:
                continue
            before = [event for event in run.log if event.place < launch.place]
            pid = run.log[0].pid
            if not any(event.callback in LAUNCHES for event in before):
                continue
            if pid == launch.pid or pid < launch.pid and (pid in launched or any(
                    event.callback in PROVES and event.layer == "app" or event.callback in ACTIVATIONS for event in before)):
                return True
            launched.add(pid)
        return False

    def name_of(self, event, instances, number):
        """A controller is its label, and another one after `dealloc` or at another `viewDidLoad`. A late `dealloc` of one
        that was replaced so is of no controller that is known."""
        key = (event.layer, event.label)
        if event.layer == "scene":
            return key
        names = [other for other in number.get(key, [key]) if other not in instances or instances[other].state != "deallocated"]
        name = self.meant(event, names, instances) if names else number.get(key, [key])[-1]
        old = instances.get(name)
        if event.callback == "dealloc" and self.replaced.get(key) and old and not (
                old.state == "unknown" or "dealloc" in VIEW_EDGES.get(old.state, {})):
            self.replaced[key] -= 1
            return ("view", APP_NAME)
        # In a log that is cut, the first one loaded before the log began.
        loaded = self.mid_life and name == key or any(
            callback == "viewDidLoad" for callback, _ in self.events.get(name, []))
        if old and (old.state == "deallocated" or event.callback == "viewDidLoad" and loaded):
            count = sum(other[0] == "view" and other[1].split("#")[0] == event.label for other in instances) + 1
            # Others of its name live on below the one that is on the screen.
            alive = any(instances[other].state not in OFF_SCREEN for other in names)
            if not alive:
                self.replaced[key] = self.replaced.get(key, 0) + len(names)
            name = (event.layer, f"{event.label}#{count}")
            number[key] = (names if alive else [])[-15:] + [name]
        elif name in names:
            number[key] = [other for other in names if other != name] + [name]
        return name

    @staticmethod
    def meant(event, names, instances):
        """Of several controllers of a name, the latest to speak of those where the callback belongs."""
        def rank(name):
            state = instances[name].state if name in instances else "unknown"
            if state != "unknown" and event.callback not in VIEW_EDGES.get(state, {}):
                return 0
            return 1 if (state, event.callback) in CANCELLED else 2
        return max(reversed(names), key=rank)  # the first of equals, which spoke last

    def step_scene(self, app, scene, event, instances):
        before = scene.state
        scene.step(event)
        self.scenes_tell |= event.callback in ACTIVATIONS
        if app.state == "not_running" or not self.scenes_tell and app.state != "unknown":
            return
        if app.state == "unknown" and before == "unknown" and scene.transitions:
            app.state = self.derived([scene.transitions[0][0]])  # what it says of the time before, it says of the app
        state = self.derived([other.state for name, other in instances.items() if name[0] == "scene"])
        if state == scene.state == "background":
            self.background_seen = True
        if state and self.mid_life:
            app.entry_observed = False  # what is derived there is inferred
        if state and app.state == "unknown":
            app.state = state
        elif state and state != app.state:
            # Other scenes may live of which a log that is cut says nothing: what is derived then is inferred.
            app.hear(event)
            legal = int(state in APP_EDGES.get(app.state, {}).values())
            app.move(state, None, event.time, legal, observed=not self.mid_life)

    @staticmethod
    def derived(states):
        """The app is as active as its most active scene."""
        if "fg_active" in states:
            return "active"
        if "fg_inactive" in states:
            return "inactive"
        return None if all(state == "unknown" for state in states) else "background"

    def got_anywhere(self, app, instances):
        """Whether it was active or in the background after its launch (R-APP-18), or outlived one (TL-01)."""
        said = {event.callback for event in self.log} & {"applicationDidBecomeActive", "applicationDidEnterBackground"}
        lived = self.log[-1].time - self.last_launch().time
        if said or "active" in app.been or self.background_seen or lived > 60 * SECOND or any(
                to == "background" and callback not in LAUNCHES for _, to, callback, _, _ in app.transitions):
            return True
        if self.launched_as_app:
            return "background" in app.been
        # That an app with scenes launches in the background says nothing, unless it stays there.
        return app.state == "background" and lived > LAUNCH_SILENCE

    def finish(self, app, instances):
        if any(event.callback == "applicationWillTerminate" for event in self.log):
            self.reason = "terminated"
        elif not self.superseded or app.state == "unknown":
            self.reason = "log_end"
        elif not self.mid_life and not self.got_anywhere(app, instances):
            self.reason = "launch_failure"
        else:
            self.reason = "killed_in_background" if app.state == "background" else "abnormal_in_foreground"
        for name, instance in instances.items():
            instance.end()
            if instance.visits:
                self.visits[name] = instance.visits
            if instance.transitions:
                self.transitions[name] = instance.transitions


def replay(text):
    lines = [Event(place, line) for place, line in enumerate(text.splitlines()) if line.strip()]
    runs = split_into_runs(lines)
    for run in runs:
        run.replay(lines[0].time, lines[-1].time, runs)
    return runs
