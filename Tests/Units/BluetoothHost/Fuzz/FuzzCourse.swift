import TestSupport

/// A course of random steps. A seed determines it, and each step has chance of its own: so a course without some of its steps is a
/// course as well, and a long one that fails can be shortened.
struct FuzzCourse: Codable, Sendable, Equatable {
    /// The steps of a whole course. Then a new machine begins.
    static let length = 1000

    let layer: FuzzedLayer
    let seed: UInt64
    /// Which of its steps are taken, in order.
    var steps = Array(0..<length)

    /// A course of a campaign.
    init(_ layer: FuzzedLayer, campaign: UInt64, number: Int) {
        self.layer = layer
        var numbers = SeededNumbers(seed: campaign &+ UInt64(number) &* 0xA24B_AED4_963E_E407)
        seed = numbers.next()
    }

    /// Takes its steps.
    ///
    /// - Returns: What is wrong, and what was met.
    func run(into log: FuzzLog? = nil) -> (problem: String?, met: Set<String>) { run(layer.machine, log) }

    private func run<Machine: FuzzedMachine>(_ type: Machine.Type, _ log: FuzzLog?) -> (String?, Set<String>) {
        var machine = Machine(seed: seed)
        machine.log = log
        for step in steps {
            machine.numbers = SeededNumbers(seed: seed &+ UInt64(step + 1) &* 0xD6E8_FEB8_6659_FD93)
            if let problem = machine.step() { return (problem, machine.met) }
        }
        return (nil, machine.met)
    }

    /// The shortest course that this one leads to by leaving out steps, as far as it is found with this many tries.
    ///
    /// - Parameter fails: Whether a course still shows the same.
    func shortened(tries: Int = 300, fails: (FuzzCourse) async -> Bool) async -> FuzzCourse {
        var (best, left, part) = (self, tries, steps.count / 2)
        while part > 0 {
            var place = 0
            while place < best.steps.count, left > 0 {
                var shorter = best
                shorter.steps.removeSubrange(place..<min(place + part, shorter.steps.count))
                left -= 1
                if await fails(shorter) { best = shorter } else { place += part }
            }
            part /= 2
        }
        return best
    }
}
