import CryptoKit
import Foundation
import HILPhone
import RadioModel

/// Measures what needs no rig but an optimised build. Prints a line per case: its name and samples, with tabs.
///
///     hil-core-bench sorting    milliseconds for a hundred thousand numbers, to compare machines and times of day
///     hil-core-bench matching   microseconds to match an advertisement with 100 descriptors
///     hil-core-bench sealing    megabytes per second with AES-256-GCM
///     hil-core-bench xwing      milliseconds for an encapsulation and a decapsulation, for each available ML-KEM
///
/// `hil-bench` runs it.
@main
enum Main {
    static func main() {
        do {
            switch CommandLine.arguments.dropFirst().joined(separator: " ") {
            case "sorting": tell("100,000 numbers", SortCase.samples(count: 21))
            case "matching":
                for one in MatchingCase.all {
                    guard let samples = one.samples(count: 101) else { fail("“\(one.name)” matches what it must not") }
                    tell(one.name, samples)
                }
            case "sealing": tell("256 bytes", try SealingCase.samples(count: 21))
            case "xwing":
                for implementation in XWingCase.implementations {
                    tell("\(implementation)", try XWingCase.samples(of: implementation, count: 51))
                }
            default: fail("usage: hil-core-bench sorting | matching | sealing | xwing", code: 64)
            }
        } catch { fail("\(error)") }
    }

    private static func tell(_ name: String, _ samples: [Double]) {
        print(([name] + samples.map { String(format: "%.4f", $0) }).joined(separator: "\t"))
    }

    private static func fail(_ message: String, code: Int32 = 2) -> Never {
        FileHandle.standardError.write(Data("hil-core-bench: \(message)\n".utf8))
        exit(code)
    }
}
