/// The words of the pictures in one language. `%` stands for a figure.
struct Words: Sendable {
    var documented, observed, overlay: String
    var edgeDocumented, edgeUndocumented, edgeNever, edgeSilent: String
    var silent, inferred, neverVisited: String
    var visits, visit, starts, start, ends, end: String
    var width, initial, final, shareOfTime, shadeOften, shadeLong: String
    var runs, run, transitions, transition, edges, states: String
    var median, p90, total, share: String
    var prefixLeftOut, hidden, more, finding, example, source: String
    var lifecycle, someRuns, timeline, events, event, estimated, estimatedState, ending, endings: String
    var inferredStay, cut, findingMark, leftOutTime, orderOnly, tooShort, utc, lanesLeftOut: String

    static func of(_ language: PictureLanguage) -> Words {
        switch language {
        case .english: english
        case .simplifiedChinese: simplifiedChinese
        case .traditionalChinese: traditionalChinese
        case .spanish: spanish
        }
    }

    private static let english = Words(
        documented: "Documented", observed: "Observed", overlay: "Observed over documented",
        edgeDocumented: "documented, occurred", edgeUndocumented: "undocumented, occurred",
        edgeNever: "documented, never occurred", edgeSilent: "silent or inferred",
        silent: "silent", inferred: "inferred", neverVisited: "never visited",
        visits: "% visits", visit: "1 visit", starts: "% starts", start: "1 start", ends: "% ends", end: "1 end",
        width: "line width: how often", initial: "initial", final: "final", shareOfTime: "bar: share of time",
        shadeOften: "shade: how often", shadeLong: "shade: how long, by the median",
        runs: "% runs", run: "1 run", transitions: "% transitions", transition: "1 transition",
        edges: "% edges", states: "% states",
        median: "median", p90: "p90", total: "total", share: "share",
        prefixLeftOut: "Callbacks are named without their first word, %.",
        hidden: "Hidden: % rare edges with %2 of all transitions.", more: "+% more", finding: "Finding",
        example: "Example", source: "Source",
        lifecycle: "% lifecycle", someRuns: "% of %2 runs", timeline: "Runs", events: "% events", event: "1 event",
        estimated: "% estimated",
        estimatedState: "hatched: estimated from silence", ending: "1 run ended: %2", endings: "% runs ended: %2",
        inferredStay: "inferred", cut: "begins or ends outside the log", findingMark: "finding",
        leftOutTime: "time left out", orderOnly: "This log has no times: the axis shows the order of stays only.",
        tooShort: "% stays are too short to be drawn at this scale.", utc: "times in UTC",
        lanesLeftOut: "Drawn: % of %2 lanes.")

    private static let simplifiedChinese = Words(
        documented: "文档模型", observed: "实际观察", overlay: "观察结果叠加于文档模型",
        edgeDocumented: "有文档，已发生", edgeUndocumented: "无文档，已发生", edgeNever: "有文档，从未发生",
        edgeSilent: "无回调或推断",
        silent: "无回调", inferred: "推断", neverVisited: "从未进入",
        visits: "% 次", visit: "1 次", starts: "% 次启动", start: "1 次启动", ends: "% 次结束", end: "1 次结束",
        width: "线宽：次数", initial: "初始", final: "终止", shareOfTime: "条：时间占比",
        shadeOften: "深浅：次数", shadeLong: "深浅：时长（中位数）",
        runs: "% 次运行", run: "1 次运行", transitions: "% 次转换", transition: "1 次转换",
        edges: "% 条边", states: "% 个状态",
        median: "中位数", p90: "p90", total: "合计", share: "占比",
        prefixLeftOut: "回调名省略了首词 %。", hidden: "已隐藏：% 条罕见的边，占全部转换的 %2。", more: "另 % 个",
        finding: "发现", example: "示例", source: "来源",
        lifecycle: "%生命周期", someRuns: "%2 次运行中的 % 次", timeline: "运行", events: "% 个事件", event: "1 个事件",
        estimated: "估计 % 次",
        estimatedState: "斜线：由静默估计", ending: "1 次运行结束：%2", endings: "% 次运行结束：%2",
        inferredStay: "推断", cut: "起点或终点在日志之外", findingMark: "发现", leftOutTime: "省略的时间",
        orderOnly: "该日志没有时间：横轴只表示先后顺序。", tooShort: "% 次停留过短，此比例下无法绘出。", utc: "时间为 UTC",
        lanesLeftOut: "已绘出 %2 条泳道中的 % 条。")

    private static let traditionalChinese = Words(
        documented: "文件模型", observed: "實際觀察", overlay: "觀察結果疊加於文件模型",
        edgeDocumented: "有文件，已發生", edgeUndocumented: "無文件，已發生", edgeNever: "有文件，從未發生",
        edgeSilent: "無回呼或推斷",
        silent: "無回呼", inferred: "推斷", neverVisited: "從未進入",
        visits: "% 次", visit: "1 次", starts: "% 次啟動", start: "1 次啟動", ends: "% 次結束", end: "1 次結束",
        width: "線寬：次數", initial: "初始", final: "終止", shareOfTime: "條：時間占比",
        shadeOften: "深淺：次數", shadeLong: "深淺：時長（中位數）",
        runs: "% 次執行", run: "1 次執行", transitions: "% 次轉換", transition: "1 次轉換",
        edges: "% 條邊", states: "% 個狀態",
        median: "中位數", p90: "p90", total: "合計", share: "占比",
        prefixLeftOut: "回呼名稱省略了首字 %。", hidden: "已隱藏：% 條罕見的邊，占全部轉換的 %2。", more: "另 % 個",
        finding: "發現", example: "範例", source: "來源",
        lifecycle: "%生命週期", someRuns: "%2 次執行中的 % 次", timeline: "執行", events: "% 個事件", event: "1 個事件",
        estimated: "估計 % 次",
        estimatedState: "斜線：由靜默估計", ending: "1 次執行結束：%2", endings: "% 次執行結束：%2",
        inferredStay: "推斷", cut: "起點或終點在日誌之外", findingMark: "發現", leftOutTime: "省略的時間",
        orderOnly: "該日誌沒有時間：橫軸只表示先後順序。", tooShort: "% 次停留過短，此比例下無法繪出。", utc: "時間為 UTC",
        lanesLeftOut: "已繪出 %2 條泳道中的 % 條。")

    private static let spanish = Words(
        documented: "Documentado", observed: "Observado", overlay: "Observado sobre documentado",
        edgeDocumented: "documentada, ocurrió", edgeUndocumented: "no documentada, ocurrió",
        edgeNever: "documentada, nunca ocurrió", edgeSilent: "silenciosa o inferida",
        silent: "silenciosa", inferred: "inferida", neverVisited: "nunca visitado",
        visits: "% visitas", visit: "1 visita", starts: "% inicios", start: "1 inicio", ends: "% finales",
        end: "1 final", width: "grosor: frecuencia", initial: "inicial", final: "final",
        shareOfTime: "barra: parte del tiempo",
        shadeOften: "tono: frecuencia", shadeLong: "tono: duración (mediana)",
        runs: "% ejecuciones", run: "1 ejecución", transitions: "% transiciones", transition: "1 transición",
        edges: "% aristas", states: "% estados",
        median: "mediana", p90: "p90", total: "total", share: "parte",
        prefixLeftOut: "Los nombres omiten su primera palabra, %.",
        hidden: "Ocultas: % aristas raras con %2 de las transiciones.", more: "+% más", finding: "Hallazgo",
        example: "Ejemplo", source: "Fuente",
        lifecycle: "Ciclo de vida: %", someRuns: "% de %2 ejecuciones", timeline: "Ejecuciones", events: "% eventos",
        event: "1 evento",
        estimated: "% estimadas", estimatedState: "rayado: estimado por silencio", ending: "1 ejecución acabó: %2",
        endings: "% ejecuciones acabaron: %2",
        inferredStay: "inferida", cut: "empieza o acaba fuera del registro", findingMark: "hallazgo",
        leftOutTime: "tiempo omitido", orderOnly: "Este registro no tiene horas: el eje muestra solo el orden.",
        tooShort: "% estancias son demasiado cortas para dibujarlas a esta escala.", utc: "horas en UTC",
        lanesLeftOut: "Dibujadas: % de %2 calles.")
}

extension Words {
    /// A count with its noun, in the singular where it is one.
    static func counted(_ count: Int, one: String, many: String) -> String {
        count == 1 ? one : filled(many, NumberText.count(count))
    }

    /// A phrase with its figures put in.
    static func filled(_ phrase: String, _ first: String, _ second: String = "") -> String {
        var result = ""
        var rest = Substring(phrase)
        while let place = rest.firstIndex(of: "%") {
            result += rest[..<place]
            rest = rest[rest.index(after: place)...]
            if rest.first == "2" {
                result += second
                rest = rest.dropFirst()
            } else {
                result += first
            }
        }
        return result + rest
    }
}
