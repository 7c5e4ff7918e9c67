import Foundation
import Testing

/// Whatever happens to logs while they are ingested, the database is the one that a single ingest gives.
///
/// `make exactness` plays hundreds of such histories; these are a few of them.
@Suite("Exactness")
struct ExactnessTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../scripts/exactness.py").standardizedFileURL.path

    static let hasPython: Bool = {
        guard let program = try? Program() else { return false }
        return (try? program.shell("python3 -c ''"))?.status == 0
    }()

    @Test(
        "random splits, orders, rotations, compression, copies, followers and kills give one digest",
        .enabled(if: hasPython), arguments: 1...4)
    func history(seed: Int) throws {
        let outcome = try Program().shell("python3 '\(Self.script)' --lifestats $LIFESTATS --seed \(seed)")
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }
}
