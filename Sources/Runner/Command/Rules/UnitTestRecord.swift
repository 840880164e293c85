import Foundation

/// The results of the unit tests that cover rules, from the last `make test`.
///
/// It comes from two files with one JSON object per line: which test covers which rules, written by `RuleCoverage`, and
/// the event stream of Swift Testing.
struct UnitTestRecord: Sendable {
    /// How a test ended.
    enum Outcome: String, Sendable, Encodable {
        case passed, failed, skipped
        /// The test began and never ended: it crashed, or the run was ended.
        case unfinished
    }

    /// One test that covers rules.
    struct Test: Sendable, Hashable {
        /// Module, suite and function: `PhoneTests.PickerMachineTests/timeout()`.
        var name: String
        /// The test's title as a sentence, or the function's name.
        var title: String
        var rules: [String]
        var outcome: Outcome
    }

    /// The folder of both files, relative to the package's folder.
    static let folder = ".build/tests"

    /// The tests in the order in which they were planned, each once.
    private(set) var tests: [Test] = []

    /// - Parameters:
    ///   - covers: Which test covers which rules.
    ///   - events: The event stream. Unreadable lines of both are ignored.
    init(covers: Data, events: Data) {
        let stream = Stream(events)
        var places: [String: Int] = [:]
        for line in covers.split(separator: 0x0A) {
            guard let cover = try? JSONDecoder().decode(Cover.self, from: line) else { continue }
            if let place = places[cover.id] {
                tests[place].rules += cover.rules.filter { !tests[place].rules.contains($0) }
                continue
            }
            places[cover.id] = tests.count
            // The last part, after the function, is the place in the source.
            let name = cover.id.split(separator: "/").dropLast().joined(separator: "/")
            tests.append(
                Test(
                    name: name.isEmpty ? cover.name : name, title: stream.titles[cover.id] ?? cover.name,
                    rules: cover.rules, outcome: stream.outcomes[cover.id] ?? .unfinished))
        }
    }

    /// Reads the records of all parts of the tests in the package's folder; nil if none has run there.
    static func read(in root: String) -> UnitTestRecord? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        func content(_ kind: String) -> Data {
            names.filter { $0.hasSuffix(".\(kind).jsonl") }.sorted().reduce(into: Data()) { all, name in
                all += FileManager.default.contents(atPath: "\(root)/\(folder)/\(name)") ?? Data()
                // The last line of a run that was killed may be cut.
                all.append(0x0A)
            }
        }
        let covers = content("covers")
        return covers.isEmpty ? nil : UnitTestRecord(covers: covers, events: content("events"))
    }

    private struct Cover: Decodable {
        let id: String
        let name: String
        let rules: [String]
    }

    /// The needed parts of the event stream.
    private struct Stream {
        var titles: [String: String] = [:]
        var outcomes: [String: Outcome] = [:]

        private struct Line: Decodable {
            struct Payload: Decodable {
                let kind: String
                let id: String?
                let displayName: String?
                let testID: String?
                let issue: Issue?
            }
            struct Issue: Decodable {
                let isKnown: Bool?
                let isFailure: Bool?
            }
            let kind: String
            let payload: Payload
        }

        init(_ events: Data) {
            var failed: Set<String> = []
            for bytes in events.split(separator: 0x0A) {
                guard let line = try? JSONDecoder().decode(Line.self, from: bytes) else { continue }
                let payload = line.payload
                if line.kind == "test", let id = payload.id { titles[id] = payload.displayName }
                guard line.kind == "event", let id = payload.testID else { continue }
                switch payload.kind {
                case "issueRecorded" where payload.issue?.isKnown != true && payload.issue?.isFailure != false:
                    failed.insert(id)
                case "testEnded": outcomes[id] = failed.contains(id) ? .failed : .passed
                case "testSkipped": outcomes[id] = .skipped
                default: break
                }
            }
        }
    }
}
