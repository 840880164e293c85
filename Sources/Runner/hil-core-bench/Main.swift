import Foundation
import Phone
import RadioModel

/// Times what needs no rig and an optimised build: a line a case, its kind, its name and its samples, with tabs.
///
/// Kinds: `matching`, microseconds for an advertisement held against 100 descriptors; `sealing`, megabytes a second of
/// AES-256-GCM; `xwing`, milliseconds for an encapsulation and a decapsulation. `hil-bench` runs it.
@main
enum Main {
    static func main() {
        for one in MatchingCase.all {
            guard let samples = one.samples(count: 101) else { fail("“\(one.name)” matches what it must not") }
            tell("matching", one.name, samples)
        }
        do {
            tell("sealing", "256 bytes", try SealingCase.samples(count: 21))
            for implementation in XWingCase.implementations {
                tell("xwing", "\(implementation)", try XWingCase.samples(of: implementation, count: 51))
            }
        } catch { fail("\(error)") }
    }

    private static func tell(_ kind: String, _ name: String, _ samples: [Double]) {
        print(([kind, name] + samples.map { String(format: "%.4f", $0) }).joined(separator: "\t"))
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("hil-core-bench: \(message)\n".utf8))
        exit(2)
    }
}
