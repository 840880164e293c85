import Foundation
import Testing

/// Many courses of one layer, in processes of their own: a trap is a finding like any other.
///
/// `HIL_FUZZ_PDUS` is how many steps are taken, 20,000 by default; `HIL_FUZZ_SEED` is the seed of an earlier campaign.
struct FuzzCampaign {
    /// What was found.
    struct Finding: Sendable {
        var course: FuzzCourse
        /// The packets and actions of the shortest course, and what was wrong after them.
        var lines: [String]
    }

    private static let environment = ProcessInfo.processInfo.environment
    static let steps = environment["HIL_FUZZ_PDUS"].flatMap { Int($0) } ?? 20_000
    static let seed = environment["HIL_FUZZ_SEED"].flatMap { UInt64($0) } ?? 36
    /// How much larger a process may be after its courses than after its first ones, in KiB.
    private static let growth = 32 << 10

    let layer: FuzzedLayer
    var seed = FuzzCampaign.seed
    var steps = FuzzCampaign.steps

    /// Runs courses until one fails.
    ///
    /// - Returns: The shortest course that was found to fail; nil if none does.
    func run() async -> Finding? {
        // A process takes at most this many, so that a trap costs little.
        let (all, portion) = (max(1, steps / FuzzCourse.length), 1000)
        for first in stride(from: 0, to: all, by: portion) {
            let file = FuzzCampaign.file()
            defer { unlink(file) }
            let count = min(portion, all - first)
            if await survives(first, count, file) { continue }
            let told = lines(of: file)
            let number = told.last { Int($0) != nil }.flatMap { Int($0) } ?? first
            let course = FuzzCourse(layer, campaign: seed, number: number)
            let shortest = await course.shortened { await !FuzzCampaign.passes($0, writing: nil) }
            let log = FuzzCampaign.file()
            defer { unlink(log) }
            // What concerns many courses, such as a process that grows, does not come again in one.
            let isSame = await !FuzzCampaign.passes(shortest, writing: log)
            return Finding(course: shortest, lines: isSame ? lines(of: log) : ["in many courses:", told.last ?? ""])
        }
        return nil
    }

    /// Runs some courses in a process of its own.
    private func survives(_ first: Int, _ count: Int, _ file: String) async -> Bool {
        await FuzzCampaign.isSuccess {
            await #expect(processExitsWith: .success) {
                [
                    layer = layer as FuzzedLayer, seed = seed as UInt64, first = first as Int, count = count as Int,
                    file = file as String
                ] in
                let log = FuzzLog(path: file)
                func end(_ problem: String) -> Never {
                    log.add(problem)
                    fatalError(problem)
                }
                var met: Set<String> = []
                var size = 0
                for number in first..<(first + count) {
                    log.add("\(number)")
                    let (problem, its) = FuzzCourse(layer, campaign: seed, number: number).run()
                    met.formUnion(its)
                    if let problem { end(problem) }
                    if number == first + count / 10 { size = residentMemory() }
                }
                let grown = residentMemory() - size
                guard grown < FuzzCampaign.growth else { end("the process has grown by \(grown) KiB") }
                let missing = layer.machine.mustMeet.subtracting(met)
                guard missing.isEmpty || count < 10 else { end("never met: \(missing.sorted())") }
            }
        }
    }

    /// Runs one course in a process of its own.
    private static func passes(_ course: FuzzCourse, writing log: String?) async -> Bool {
        await isSuccess {
            await #expect(processExitsWith: .success) { [course = course as FuzzCourse, log = log as String?] in
                let log = log.map { FuzzLog(path: $0) }
                guard let problem = course.run(into: log).problem else { return }
                log?.add(problem)
                fatalError(problem)
            }
        }
    }

    /// Whether a process exits with success. A failure is no issue of its own: whoever asks tells it.
    private static func isSuccess(_ body: () async -> ExitTest.Result?) async -> Bool {
        var result: ExitTest.Result?
        await withKnownIssue(isIntermittent: true) { result = await body() }
        return result != nil
    }

    private static func file() -> String { NSTemporaryDirectory() + "hil-fuzz-\(UUID().uuidString.prefix(8))" }

    private func lines(of file: String) -> [String] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}

/// What this process has in memory, in KiB (proc_pid_statm(5), in pages of 4 KiB).
private func residentMemory() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
}
