import Foundation
import HILRecord

/// The results of earlier runs, from the `events.jsonl` of the newest ones.
package struct PastRuns: Sendable {
    /// The result of a scenario in one run.
    package struct Outcome: Sendable, Hashable {
        package var verdict: Verdict
        /// From the rig's start to its end, seconds.
        package var seconds: Double

        package init(_ verdict: Verdict, seconds: Double) {
            self.verdict = verdict
            self.seconds = seconds
        }
    }

    /// The outcomes by identifier, the newest first.
    private let outcomes: [String: [Outcome]]

    package init(_ outcomes: [String: [Outcome]] = [:]) { self.outcomes = outcomes }

    /// Whether a folder has a run.
    package static func hasRuns(in parent: String) -> Bool { !runs(in: parent).isEmpty }

    private static func runs(in parent: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.wholeMatch(of: /\d{8}-\d{6}-[0-9a-z]{4}/) != nil }
    }

    /// Reads the runs of a folder. Missing or unreadable results count as never run.
    ///
    /// - Parameters:
    ///   - parent: The folder of the runs' folders: `results`.
    ///   - limit: The most runs that are read.
    package static func read(in parent: String, limit: Int = 20) -> PastRuns {
        let runs = runs(in: parent).sorted(by: >).prefix(limit)
        var outcomes: [String: [Outcome]] = [:]
        for run in runs {
            let events = FileManager.default.contents(atPath: "\(parent)/\(run)/events.jsonl")
            let lines = events.map(ended) ?? []
            var ofRun: [String: [Outcome]] = [:]
            for (identifier, outcome) in lines.reversed() {
                // All rounds of a run count as one scenario, with the worst verdict first.
                let name = String(identifier.prefix { $0 != "#" })
                let index = outcome.verdict.isBad ? 0 : ofRun[name]?.count ?? 0
                ofRun[name, default: []].insert(outcome, at: index)
            }
            for (name, more) in ofRun { outcomes[name, default: []] += more }
        }
        return PastRuns(outcomes)
    }

    /// The scenarios that ended as failed or error in their last run.
    package var failed: Set<String> {
        Set(outcomes.compactMap { $0.value.first?.verdict.isBad == true ? $0.key : nil })
    }

    /// The verdict of a scenario's last run; nil if it never ran.
    package func last(of identifier: String) -> Verdict? { outcomes[identifier]?.first?.verdict }

    /// The duration of a scenario: the median of its runs, in seconds; nil if it never ran.
    package func seconds(of identifier: String) -> Double? {
        let sorted = (outcomes[identifier] ?? []).map(\.seconds).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    /// Only the needed parts of a line, so that lines of other versions can be read.
    private struct Line: Decodable {
        struct Event: Decodable { let scenarioEnded: Payload }
        struct Payload: Decodable {
            let result: Result

            /// Older runs call it `_0`.
            enum CodingKeys: String, CodingKey { case result, _0 }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                result = try values.decode(Result.self, forKey: values.contains(.result) ? .result : ._0)
            }
        }
        struct Result: Decodable {
            let judgement: Judged
            let seconds: Double
        }
        struct Judged: Decodable { let verdict: Verdict }

        let scenario: String
        let runner: Event
    }

    /// The ends of scenarios in an `events.jsonl`, in order. The other lines, which are the majority, are not decoded.
    private static func ended(_ events: Data) -> [(String, Outcome)] {
        let start = Array(#"{"runner":{"scenarioEnded""#.utf8)
        var found: [(String, Outcome)] = []
        let decoder = JSONDecoder()
        events.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            var place = 0
            while place < bytes.count {
                let newline = memchr(base + place, 0x0A, bytes.count - place)
                let end = newline.map { base.distance(to: UnsafeRawPointer($0)) } ?? bytes.count
                if end - place > start.count, memcmp(base + place, start, start.count) == 0,
                    case let bytes = Data(bytes[place..<end]), PlausibleNumbers.are(in: bytes),
                    let line = try? decoder.decode(Line.self, from: bytes)
                {
                    let result = line.runner.scenarioEnded.result
                    found.append((line.scenario, Outcome(result.judgement.verdict, seconds: result.seconds)))
                }
                place = end + 1
            }
        }
        return found
    }
}
