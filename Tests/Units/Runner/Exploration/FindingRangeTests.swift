import HILRecord
import Testing

@testable import HILExploration

/// The range of moments of a finding, and the trials that make it exact.
struct FindingRangeTests {
    private static let moments = (1...8).map { Moment(.attribute, "write(F\($0))") }

    /// A journey of eight moments.
    ///
    /// - Parameter left: The places at which a fault makes no sense.
    private static func info(_ left: [String: [Int]] = [:]) -> ExplorationInfo {
        let cells = left.flatMap { fault, places in places.map { TrialOrder.Cell(fault, at: moments[$0 - 1]) } }
        return ExplorationInfo(
            moments: moments.map { JourneyMoment($0, seconds: 0) }, faults: ["linkLost", "outOfRange", "appSuspended"],
            planned: 24, leftOut: [.init(reason: "no link is up", cells: cells)], seed: 1, seconds: 1)
    }

    /// A character for each moment: `S` is silent, `.` unharmed, `e` an error, a space is not tried.
    private static func results(_ lines: [String: String]) -> [TrialResult] {
        lines.sorted { $0.key < $1.key }.flatMap { fault, line in
            zip(moments, line).compactMap { moment, mark in
                let outcome: TrialOutcome? =
                    switch mark {
                    case "S": .silent
                    case ".": .unharmed
                    case "e": .error
                    default: nil
                    }
                return outcome.map { TrialResult(.init(fault, at: moment), $0, step: "dim", seconds: 1) }
            }
        }
    }

    private static func range(_ lines: [String: String], left: [String: [Int]] = [:]) -> FindingRange? {
        ExplorationFinding.all(in: results(lines), of: info(left)).first?.range
    }

    @Test("The words of a range say from where to where, and whether that is known")
    func words() {
        func words(_ lines: [String: String], left: [String: [Int]] = [:]) -> String? {
            Self.range(lines, left: left)?.words
        }
        #expect(words(["linkLost": "..SSSS.."]) == "at any moment from write(F3) to before write(F7)")
        #expect(words(["linkLost": "..SSSSSS"]) == "at any moment from write(F3) on")
        #expect(words(["linkLost": "  SSSS  "], left: ["linkLost": [1, 2, 7, 8]]) == "at any moment from write(F3) on")
        #expect(words(["linkLost": ".SS SS.."]) == "at any moment tried from write(F2) to before write(F7)")
        #expect(words(["linkLost": ". SSSS.."]) == "at any moment, at least from write(F3) to write(F6)")
        #expect(
            words(["linkLost": "..SSSS .", "outOfRange": "...SSSS "])
                == "at any moment, at least from write(F3) to write(F7)")
        #expect(words(["linkLost": "..SSSSe."]) == "at any moment, at least from write(F3) to write(F6)")
        #expect(words(["linkLost": "..S.SS.."]) == "at 3 of the 4 moments tried from write(F3) to write(F6)")
        #expect(words(["linkLost": "..S. S.."]) == "at 2 of the 3 moments tried from write(F3) to write(F6)")
        #expect(words(["linkLost": "  S     "]) == "at write(F3)")
        #expect(
            words(["linkLost": "..S.SS..", "outOfRange": "  .SSS.."])
                == "at any moment from write(F3) to before write(F7)", "one of its faults is enough")
    }

    @Test("Another finding's trials do not count, and pairs of faults have no range")
    func others() throws {
        let lines = ["linkLost": "..SSS...", "appSuspended": "......S."]
        let findings = ExplorationFinding.all(in: Self.results(lines), of: Self.info())
        #expect(findings.compactMap(\.range?.hits).sorted() == [1, 3])
        var pair = try #require(Self.results(lines).last { $0.outcome == .silent })
        pair.second = pair.cell
        #expect(ExplorationFinding.all(in: [pair], of: Self.info()).first?.range == nil)
    }

    @Test("The next trial of an edge is in the middle of what is open, until nothing is, and of the fault that did it")
    func edges() {
        func edges(_ lines: [String: String], left: [String: [Int]] = [:]) -> [String]? {
            Self.range(lines, left: left)?.edges.map { "\($0)" }
        }
        #expect(edges(["linkLost": "..SSSS.."]) == [])
        #expect(edges(["linkLost": ".   SS.."]) == ["linkLost at write(F3)"])
        #expect(edges(["linkLost": "    SS.."], left: ["linkLost": [1, 2]]) == ["linkLost at write(F3)"])
        #expect(edges(["linkLost": "..SS   ."]) == ["linkLost at write(F6)"])
        #expect(edges(["linkLost": "..SSe.. ", "outOfRange": "    S .."]) == ["outOfRange at write(F6)"])
        #expect(edges(["linkLost": "..SSee.."]) == [], "a trial that proved nothing is not the exploration's to repeat")
    }

    @Test("Whatever a fault does along a journey, the trials at the edges come to an end, and the range is then exact")
    func converges() throws {
        var generator = SplitMix64(39)
        for _ in 0..<200 {
            let from = Int(generator.next() % 8)
            let to = from + Int(generator.next() % UInt64(8 - from))
            let truth = (0..<8).map { $0 >= from && $0 <= to }
            var line = [Character](repeating: " ", count: 8)
            line[from + Int(generator.next() % UInt64(to - from + 1))] = "S"
            var trials = 0
            while let next = Self.range(["linkLost": String(line)])?.edges, !next.isEmpty {
                for cell in next {
                    let place = try #require(Self.moments.firstIndex(of: cell.moment))
                    #expect(line[place] == " ")
                    line[place] = truth[place] ? "S" : "."
                    trials += 1
                }
            }
            let range = try #require(Self.range(["linkLost": String(line)]))
            #expect(range.first == Self.moments[from] && range.last == Self.moments[to], "\(line)")
            #expect(range.beginsThere && range.endsThere && trials <= 7)
        }
    }
}
