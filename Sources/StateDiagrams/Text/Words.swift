import TraceRecords

/// A word or phrase of pictures in every language. `%` and `%2` stand for figures; `|` separates the form for one from
/// the form for several.
struct Word: Sendable {
    let english: String
    let simplified: String
    let traditional: String
    let spanish: String

    init(_ english: String, _ simplified: String, _ traditional: String, _ spanish: String) {
        self.english = english
        self.simplified = simplified
        self.traditional = traditional
        self.spanish = spanish
    }
}

// MARK: - Counts and figures

extension Word {
    static let visits = Word("1 visit|% visits", "% 次", "% 次", "1 visita|% visitas")
    static let starts = Word("1 start|% starts", "% 次启动", "% 次啟動", "1 inicio|% inicios")
    static let ends = Word("1 end|% ends", "% 次结束", "% 次結束", "1 final|% finales")
    static let runs = Word("1 run|% runs", "% 次运行", "% 次執行", "1 ejecución|% ejecuciones")
    static let someRuns = Word("% of %2 runs", "%2 次运行中的 % 次", "%2 次執行中的 % 次", "% de %2 ejecuciones")
    static let events = Word("1 event|% events", "% 个事件", "% 個事件", "1 evento|% eventos")
    static let transitions = Word("1 transition|% transitions", "% 次转换", "% 次轉換", "1 transición|% transiciones")
    static let edges = Word("1 edge|% edges", "% 条边", "% 條邊", "1 arista|% aristas")
    static let states = Word("1 state|% states", "% 个状态", "% 個狀態", "1 estado|% estados")
    static let callbacks = Word("1 callback|% callbacks", "% 个回调", "% 個回呼", "1 callback|% callbacks")
    static let more = Word("+% more", "另 % 个", "另 % 個", "+% más")
    static let estimated = Word("% estimated", "估计 % 次", "估計 % 次", "1 estimada|% estimadas")
    static let inferredTimes = Word("% inferred", "推断 % 次", "推斷 % 次", "1 inferida|% inferidas")
    static let inferredToo = Word("+% inferred", "另推断 % 次", "另推斷 % 次", "+1 inferida|+% inferidas")
    static let endings = Word(
        "1 run ended: %2|% runs ended: %2", "% 次运行结束：%2", "% 次執行結束：%2",
        "1 ejecución acabó: %2|% ejecuciones acabaron: %2")
    static let median = Word("median", "中位数", "中位數", "mediana")
    static let p90 = Word("p90", "p90", "p90", "p90")
    static let total = Word("total", "合计", "合計", "total")
    static let share = Word("share", "占比", "占比", "parte")
}

// MARK: - Diagrams

extension Word {
    static let lifecycle = Word("% lifecycle", "%生命周期", "%生命週期", "Ciclo de vida: %")
    static let documented = Word("Documented", "文档模型", "文件模型", "Documentado")
    static let observed = Word("Observed", "实际观察", "實際觀察", "Observado")
    static let overlay = Word("Observed over documented", "观察结果叠加于文档模型", "觀察結果疊加於文件模型", "Observado sobre documentado")
    static let edgeDocumented = Word("documented, observed", "有文档，已观察", "有文件，已觀察", "documentada, observada")
    static let edgeOfModel = Word("documented", "有文档", "有文件", "documentada")
    static let edgeInferred = Word("documented, inferred", "有文档，推断", "有文件，推斷", "documentada, inferida")
    static let edgeUndocumented = Word("undocumented, observed", "无文档，已观察", "無文件，已觀察", "no documentada, observada")
    static let edgeUndocumentedInferred = Word(
        "undocumented, inferred", "无文档，推断", "無文件，推斷", "no documentada, inferida")
    static let edgeNever = Word("documented, never occurred", "有文档，从未发生", "有文件，從未發生", "documentada, nunca ocurrió")
    static let edgeSilent = Word(
        "silent: leaves no line in a log", "无声：日志中没有记录", "無聲：日誌中沒有記錄", "silenciosa: no deja líneas en el registro")
    static let silent = Word("silent", "无声", "無聲", "silenciosa")
    static let noCallback = Word("no callback", "无回调", "無回呼", "sin callback")
    static let withoutCallback = Word("% without a callback", "% 次无回调", "% 次無回呼", "% sin callback")
    static let twoVerdicts = Word(
        "Two edges with one callback between the same states: the change is documented only in some sequences.",
        "同样两个状态之间有两条回调相同的边：该转换只在某些序列中有文档。", "同樣兩個狀態之間有兩條回呼相同的邊：該轉換只在某些序列中有文件。",
        "Dos aristas con un mismo callback entre los mismos estados: el cambio está documentado solo en algunas secuencias."
    )
    static let inferred = Word("inferred", "推断", "推斷", "inferida")
    static let neverVisited = Word("never visited", "从未进入", "從未進入", "nunca visitado")
    static let width = Word("line width: frequency", "线宽：次数", "線寬：次數", "grosor: frecuencia")
    static let initial = Word("initial", "初始", "初始", "inicial")
    static let final = Word("final", "终止", "終止", "final")
    static let shareOfTime = Word("bar: share of time", "条：时间占比", "條：時間占比", "barra: parte del tiempo")
    static let shadeOften = Word("shade: frequency", "深浅：次数", "深淺：次數", "tono: frecuencia")
    static let shadeLong = Word("shade: median duration", "深浅：时长（中位数）", "深淺：時長（中位數）", "tono: duración (mediana)")
    static let estimatedState = Word(
        "hatched: estimated from silence", "斜线：由静默估计", "斜線：由靜默估計", "rayado: estimado por silencio")
    static let percentages = Word(
        "Percentages on edges: of the observed moves out of the state; in parentheses: of all ends of its visits, "
            + "inferred ones included.",
        "边上的百分比：占离开该状态的已观察转换；括号内：占该状态全部停留的结束（含推断）。", "邊上的百分比：占離開該狀態的已觀察轉換；括號內：占該狀態全部停留的結束（含推斷）。",
        "Porcentajes en las aristas: de las salidas observadas del estado; entre paréntesis: de todos los finales de sus "
            + "visitas, incluidos los inferidos.")
    static let prefixLeftOut = Word(
        "Callbacks are shown without their first word, %.", "回调名省略了首词 %。", "回呼名稱省略了首字 %。",
        "Los nombres omiten su primera palabra, %.")
    static let hidden = Word(
        "Hidden: 1 rare edge with %2 of all transitions.|Hidden: % rare edges with %2 of all transitions.",
        "已隐藏：% 条罕见的边，占全部转换的 %2。", "已隱藏：% 條罕見的邊，占全部轉換的 %2。",
        "Oculta: 1 arista rara con %2 de las transiciones.|Ocultas: % aristas raras con %2 de las transiciones.")
    static let finding = Word("Finding", "发现", "發現", "Hallazgo")
    static let errorMark = Word("error", "错误", "錯誤", "error")
    static let warningMark = Word("warning", "警告", "警告", "advertencia")
    static let remarkMark = Word("remark", "备注", "備註", "observación")
    static let remarksOnEdges = Word(
        "1 remark on the edges is not marked.|% remarks on the edges are not marked.", "边上有 % 条备注未标出。",
        "邊上有 % 條備註未標出。", "1 observación sin marcar en las aristas.|% observaciones sin marcar en las aristas.")
    static let example = Word("Example", "示例", "範例", "Ejemplo")
    static let source = Word("Source", "来源", "來源", "Fuente")

    static let compared = Word("From A to B", "从 A 到 B", "從 A 到 B", "De A a B")
    static let differences = Word(
        "1 difference beyond chance in this picture|% differences beyond chance in this picture", "此图中 % 处差异超出偶然",
        "此圖中 % 處差異超出偶然",
        "1 diferencia más allá del azar en esta imagen|% diferencias más allá del azar en esta imagen")
    static let moreInB = Word("more in B", "B 中更多", "B 中更多", "más en B")
    static let lessInB = Word("less in B", "B 中更少", "B 中更少", "menos en B")
    static let sameInBoth = Word("the same, or too few to tell", "相同或数据太少", "相同或資料太少", "igual, o muy pocos datos")
    static let beyondChance = Word("beyond chance", "超出偶然", "超出偶然", "más allá del azar")
    static let withinChance = Word("pale: may be chance", "浅色：可能是偶然", "淺色：可能是偶然", "pálido: puede ser azar")
    static let widthOfDifference = Word(
        "line width: size of the difference", "线宽：差异大小", "線寬：差異大小", "grosor: tamaño de la diferencia")
    static let comparedFigures = Word(
        "A → B. On edges: share of the observed moves out of the state. In states: mean length of a visit, up to a horizon.",
        "A → B。边上：占离开该状态的已观察转换的比例。状态中：停留的平均时长（至一定上限）。",
        "A → B。邊上：占離開該狀態的已觀察轉換的比例。狀態中：停留的平均時長（至一定上限）。",
        "A → B. En las aristas: parte de las salidas observadas del estado. En los estados: duración media de una visita, "
            + "hasta un horizonte.")

    /// How runs end, by the values of `runs.end_reason`.
    static let endReasons = [
        "terminated": Word("terminated", "正常终止", "正常終止", "terminada|terminadas"),
        "killed_in_background": Word(
            "killed in background", "在后台被终止", "在後臺被終止", "eliminada en Fondo|eliminadas en Fondo"),
        "abnormal_in_foreground": Word("ended in use", "使用中异常结束", "使用中異常結束", "acabó en uso|acabaron en uso"),
        "launch_failure": Word("failed to launch", "启动失败", "啟動失敗", "no arrancó|no arrancaron"),
        "watchdog": Word("watchdog", "看门狗", "看門狗", "watchdog"),
        "jetsam": Word("out of memory", "内存不足", "記憶體不足", "sin memoria"),
        "crash": Word("crashed", "崩溃", "當機", "falló|fallaron"),
        "log_end": Word("at the end of the log", "于日志结束时", "於日誌結束時", "al fin del registro"),
    ]
}

// MARK: - Timelines

extension Word {
    static let timeline = Word("Runs", "运行", "執行", "Ejecuciones")
    static let inferredVisit = Word("inferred", "推断", "推斷", "inferida")
    static let cut = Word(
        "begins or ends outside the log", "起点或终点在日志之外", "起點或終點在日誌之外", "empieza o acaba fuera del registro")
    static let leftOutTime = Word("time left out", "省略的时间", "省略的時間", "tiempo omitido")
    static let orderOnly = Word(
        "This log has no times: the axis shows only the order of the visits.", "该日志没有时间：横轴只表示先后顺序。",
        "該日誌沒有時間：橫軸只表示先後順序。", "Este registro no tiene horas: el eje muestra solo el orden.")
    static let tooShort = Word(
        "1 visit is too short to be drawn at this scale.|% visits are too short to be drawn at this scale.",
        "% 次停留过短，此比例下无法绘出。", "% 次停留過短，此比例下無法繪出。",
        "% visitas son demasiado cortas para dibujarlas a esta escala.")
    static let utc = Word("times in UTC", "时间为 UTC", "時間為 UTC", "horas en UTC")
    static let ownScales = Word(
        "each run from its launch on, on a scale of its own", "每次运行从启动开始，各有自己的比例", "每次執行從啟動開始，各有自己的比例",
        "cada ejecución desde su inicio, en su propia escala")
    static let lanesLeftOut = Word(
        "Drawn: % of %2 lanes.", "已绘出 %2 条泳道中的 % 条。", "已繪出 %2 條泳道中的 % 條。", "Dibujadas: % de %2 calles.")
}

// MARK: - Charts

extension Word {
    static let dwell = Word("length (logarithmic scale)", "停留时长（对数刻度）", "停留時長（對數刻度）", "duración (escala logarítmica)")
    static let completeVisits = Word(
        "1 complete visit|% complete visits", "% 次完整停留", "% 次完整停留", "1 visita completa|% visitas completas")
    static let sinceVisitBegan = Word(
        "time since the visit began", "自停留开始的时间", "自停留開始的時間", "tiempo desde el inicio de la visita")
    static let medianWithCut = Word(
        "median % (counting cut-off visits)", "中位数 %（计入被截断的停留）", "中位數 %（計入被截斷的停留）",
        "mediana % (cuenta las visitas cortadas)")
    static let from = Word("from", "从", "從", "de")
    static let to = Word("to", "到", "到", "a")
    static let undocumented = Word("undocumented", "无文档", "無文件", "no documentada")
    static let sinceStart = Word("time since the run began", "自运行开始的时间", "自執行開始的時間", "tiempo desde el inicio")
    static let shareOfMoves = Word(
        "share of the observed moves out of a state", "占离开该状态的已观察转换的比例", "占離開該狀態的已觀察轉換的比例",
        "parte de las salidas observadas de un estado")
    static let nothing = Word("nothing to show", "没有可显示的内容", "沒有可顯示的內容", "nada que mostrar")
    static let runsLeftOut = Word(
        "Drawn: % of %2 runs.", "已绘出 %2 次运行中的 % 次。", "已繪出 %2 次執行中的 % 次。", "Dibujadas: % de %2 ejecuciones.")
    static let bandOfCurve = Word(
        "Bands: where a curve lies with a probability of 95%, by the differences between devices or runs.",
        "阴影带：按设备或运行之间的差异，曲线以 95% 的概率位于其中。", "陰影帶：按裝置或執行之間的差異，曲線以 95% 的機率位於其中。",
        "Bandas: donde está una curva con una probabilidad del 95%, según las diferencias entre dispositivos o ejecuciones."
    )
    static let curvesLeftOut = Word(
        "Drawn: % of %2 curves.", "已绘出 %2 条曲线中的 % 条。", "已繪出 %2 條曲線中的 % 條。", "Dibujadas: % de %2 curvas.")
}

/// The languages of the words in pictures. Titles of states come with the graph.
package enum PictureLanguage: String, Sendable, CaseIterable, Codable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"
    case spanish = "es"
}

/// The words of pictures in one language.
struct Words: Sendable {
    let language: PictureLanguage

    init(_ language: PictureLanguage) { self.language = language }

    subscript(_ word: Word) -> String {
        switch language {
        case .english: word.english
        case .simplifiedChinese: word.simplified
        case .traditionalChinese: word.traditional
        case .spanish: word.spanish
        }
    }

    /// A phrase with its figures: the first for `%`, the second for `%2`.
    func filled(_ word: Word, _ first: String, _ second: String = "") -> String {
        let parts = self[word].split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
            part.first == "2" ? text + second + part.dropFirst() : text + first + part
        }
    }

    /// A phrase with a number; where the language has two forms, separated by `|`, the first is for one.
    func counted(_ count: Int, _ word: Word, _ second: String = "") -> String {
        let forms = filled(word, NumberText.grouped(count), second).split(separator: "|", maxSplits: 1)
        return String((count == 1 ? forms.first : forms.last) ?? "")
    }

    /// `812 estimated`.
    func estimated(_ count: Int) -> String { counted(count, .estimated) }

    /// `median 4 s`, `total 3 h`: a named duration.
    func duration(_ word: Word, _ nanoseconds: Int64) -> String { "\(self[word]) \(DurationText.of(nanoseconds))" }

    /// How a number of runs ended: a value of `runs.end_reason` in words; an unknown value is shown as it is.
    func endReason(_ reason: String, count: Int) -> String {
        Word.endReasons[reason].map { counted(count, $0) } ?? VisibleText.line(reason)
    }
}

/// Durations in pictures: worded as everywhere else, with every number glued to its unit, so that a line can break only
/// between the parts.
package enum DurationText {
    /// The text of a duration in nanoseconds: `0 s`, `350 ms`, `4.2 s`, `1 min 5 s`, `3 d 4 h`.
    package static func of(_ nanoseconds: Int64) -> String {
        let words = HumanDuration.text(nanoseconds: nanoseconds).split(separator: " ")
        return words.enumerated().map { $0 == 0 ? "\($1)" : ($0.isMultiple(of: 2) ? " " : "\u{A0}") + $1 }.joined()
    }
}

/// Headings of pictures in the language of the picture.
package enum PictureHeading {
    /// `App lifecycle`.
    package static func lifecycle(of model: String, _ language: PictureLanguage) -> String {
        Words(language).filled(.lifecycle, model)
    }

    /// `Runs: Harbour, Kino`, for a timeline.
    package static func runs(of apps: [String], _ language: PictureLanguage) -> String {
        let words = Words(language)
        return apps.isEmpty ? words[.timeline] : "\(words[.timeline]): \(names(apps, words))"
    }

    /// `12 of 71 runs`, or `71 runs` when that is all.
    package static func count(runs: Int, of all: Int, _ language: PictureLanguage) -> String {
        let words = Words(language)
        if runs >= all { return words.counted(all, .runs) }
        return words.filled(.someRuns, NumberText.grouped(runs), NumberText.grouped(all))
    }

    /// `Harbour, Kino · 71 runs · 445 events · since 2026-03-01`.
    ///
    /// - Parameter restrictions: What the picture leaves out, in words.
    package static func subtitle(
        apps: [String], runs: Int, events: Int, restrictions: [String], _ language: PictureLanguage
    ) -> String {
        let words = Words(language)
        let figures = [words.counted(runs, .runs), words.counted(events, .events)]
        return ((apps.isEmpty ? [] : [names(apps, words)]) + figures + restrictions).joined(separator: " · ")
    }

    /// The first three, and the number of the others.
    private static func names(_ apps: [String], _ words: Words) -> String {
        let more = apps.count > 3 ? [words.filled(.more, String(apps.count - 3))] : []
        return (apps.prefix(3) + more).joined(separator: ", ")
    }
}
