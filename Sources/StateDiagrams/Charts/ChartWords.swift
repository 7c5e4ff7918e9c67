/// The words of the charts in one language; `%` stands for a figure.
struct ChartWords: Sendable {
    var median, p90, stays, dwell, stillGoing, from, to, undocumented, inferred, events, start, share: String
    var none, leftOut, curvesLeftOut: String

    static func of(_ language: PictureLanguage) -> ChartWords {
        switch language {
        case .english:
            ChartWords(
                median: "median", p90: "p90", stays: "% stays", dwell: "dwell (logarithmic scale)",
                stillGoing: "still going on after …", from: "from", to: "to", undocumented: "undocumented",
                inferred: "% inferred",
                events: "% events", start: "time since the run began", share: "share of the transitions out of a state",
                none: "nothing to show", leftOut: "Drawn: % of %2 runs.",
                curvesLeftOut: "Drawn: % of %2 curves.")
        case .simplifiedChinese:
            ChartWords(
                median: "中位数", p90: "p90", stays: "% 次停留", dwell: "停留时长（对数刻度）", stillGoing: "经过…后仍在继续",
                from: "从", to: "到", undocumented: "无文档", inferred: "推断 % 次", events: "% 个事件", start: "自运行开始的时间",
                share: "占离开该状态的转换的比例", none: "没有可显示的内容", leftOut: "已绘出 %2 次运行中的 % 次。",
                curvesLeftOut: "已绘出 %2 条曲线中的 % 条。")
        case .traditionalChinese:
            ChartWords(
                median: "中位數", p90: "p90", stays: "% 次停留", dwell: "停留時長（對數刻度）", stillGoing: "經過…後仍在繼續",
                from: "從", to: "到", undocumented: "無文件", inferred: "推斷 % 次", events: "% 個事件", start: "自執行開始的時間",
                share: "占離開該狀態的轉換的比例", none: "沒有可顯示的內容", leftOut: "已繪出 %2 次執行中的 % 次。",
                curvesLeftOut: "已繪出 %2 條曲線中的 % 條。")
        case .spanish:
            ChartWords(
                median: "mediana", p90: "p90", stays: "% estancias", dwell: "duración (escala logarítmica)",
                stillGoing: "aún en curso tras …", from: "de", to: "a", undocumented: "no documentada",
                inferred: "% inferidas",
                events: "% eventos", start: "tiempo desde el inicio", share: "parte de las transiciones que salen",
                none: "nada que mostrar", leftOut: "Dibujadas: % de %2 ejecuciones.",
                curvesLeftOut: "Dibujadas: % de %2 curvas.")
        }
    }
}
