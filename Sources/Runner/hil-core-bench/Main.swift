import Foundation
import Phone
import RadioModel

/// Times how long an advertisement is held against 100 descriptors: a line a case, its name and microseconds, with tabs.
///
/// `hil-bench` runs it; it is a program of its own because only an optimised build tells anything.
@main
enum Main {
    static func main() {
        for one in MatchingCase.all {
            guard let samples = one.samples(count: 101) else {
                FileHandle.standardError.write(Data("hil-phone-bench: “\(one.name)” matches what it must not\n".utf8))
                exit(2)
            }
            print(([one.name] + samples.map { String(format: "%.3f", $0) }).joined(separator: "\t"))
        }
    }
}
