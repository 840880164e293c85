import HILBluetoothHost
import RadioModel

// What a stranger learns of the numbers of a pairing, and how often it may guess.
extension AuditCheck {
    /// How often a stranger guesses.
    private static let guesses = 20
    /// How many pairings show whether what an accessory draws can be told beforehand.
    private static let draws = 20
    /// How many shown numbers tell a digit that never changes from chance.
    private static let shown = 8
    /// A number has 20 bits, and each is confirmed in a round of its own. Source: Core Specification 6.0, Vol 3, Part H,
    /// 2.3.5.6.3.
    private static let bits = 20

    static let numbers = [
        AuditCheck("pairing.guesses", .new) { scene in
            var failed = 0
            for number in 0..<guesses {
                let (stranger, device) = try await scene.approach(.stranger { $0.capability = .keyboardOnly })
                let pairing = try await stranger.pair(with: device, .enters(UInt32(number)))
                await stranger.leave()
                if case .refused(.repeatedAttempts)? = pairing.end?.cause { return .holds }
                guard pairing.wasAsked else { return .doesNotApply("it shows no number that a stranger could guess") }
                if pairing.end?.cause == .timeout { return .waitsForItsPerson }
                if scene.hasPaired(pairing, "with the guess \(number)") {
                    return .breached("the number is \(number), which a stranger guessed")
                }
                failed += 1
            }
            scene.note("\(failed) wrong guesses in a row were each answered at once")
            return .breached("a stranger may guess as often as it likes")
        },
        AuditCheck("pairing.fixedNumber", .new) { scene in
            switch try await learnNumber(in: scene) {
            case .notAsked: .doesNotApply("it shows no number that a stranger could learn")
            case .timedOut: .waitsForItsPerson
            case .learned(let number, let tries):
                .breached("its number is always \(digits(number)), which a stranger learns in \(tries) attempts")
            case .changes: .holds
            }
        },
        AuditCheck("pairing.shortNumber", .new) { scene in
            switch try await learnNumber(in: scene) {
            case .notAsked: .doesNotApply("it shows no number that a stranger could learn")
            case .timedOut: .waitsForItsPerson
            case .learned(let number, _) where number < 100_000:
                .breached("its number \(digits(number)) uses fewer than six digits")
            case .learned: .holds
            case .changes:
                try await judgeShown(in: scene) { $0.shortness.map { .breached("its numbers \($0)") } }
            }
        },
        AuditCheck("pairing.predictableNumber", .new) { scene in
            var drawn: [[UInt8]] = []
            for _ in 0..<draws {
                let (stranger, device) = try await scene.approach()
                let received = await stranger.watchPairing()
                // Its random value comes before its person is asked.
                let pairing = try await stranger.pair(with: device, .refuses)
                await stranger.leave()
                if pairing.wasAsked {
                    return try await judgeShown(in: scene) { $0.predictability.map { .breached("its numbers \($0)") } }
                }
                let random = received.events.first { $0.first == SMPCommand.Code.pairingRandom.rawValue }
                guard let random else {
                    return .doesNotApply("it shows a stranger no number, and draws none before its person has agreed")
                }
                drawn.append(Array(random.dropFirst()))
            }
            guard let step = DrawnNumbers(drawn).weakness else {
                scene.note("the \(drawn.count) random values from which its numbers are made follow no simple rule")
                return .holds
            }
            return .breached("the random values from which its numbers are made \(step)")
        },
    ]

    /// What attempts to pair tell of the number that an accessory shows.
    private enum Learned {
        case notAsked
        /// It waits until its own person enters the number, too.
        case timedOut
        /// It is always the same.
        case learned(UInt32, tries: Int)
        case changes
    }

    /// Enters numbers, each with one more bit of what the last refusal told: an accessory refuses in the round of the first
    /// wrong bit. If the number stays the same, 20 refusals tell all of it.
    @MainActor
    private static func learnNumber(in scene: AuditScene) async throws -> Learned {
        var number: UInt32 = 0
        var known = 0
        for attempt in 1...bits + 1 {
            let (stranger, device) = try await scene.approach(.stranger { $0.capability = .keyboardOnly })
            let received = await stranger.watchPairing()
            let pairing = try await stranger.pair(with: device, .enters(number))
            await stranger.leave()
            guard pairing.wasAsked else { return attempt == 1 ? .notAsked : .changes }
            if scene.hasPaired(pairing, "with the number \(digits(number))") {
                return .learned(number, tries: attempt)
            }
            if pairing.end?.cause == .timeout { return .timedOut }
            let round = received.codes.count { $0 == .pairingRandom }
            scene.note("\(digits(number)) was refused in round \(round + 1)")
            // A bit that was right before is wrong now.
            guard round >= known, round < bits else { return .changes }
            number ^= 1 << UInt32(round)
            known = round + 1
        }
        return .changes
    }

    /// Judges the numbers that an accessory shows its person when strangers ask to pair.
    ///
    /// - Parameter weakness: What is weak in them; nil for nothing.
    @MainActor
    private static func judgeShown(
        in scene: AuditScene, _ weakness: (ShownNumbers) -> AuditFinding?
    ) async throws -> AuditFinding {
        var numbers: [UInt32] = []
        var attempts = 0
        while numbers.count < shown, attempts < shown {
            attempts += 1
            let (stranger, device) = try await scene.approach(.stranger { $0.capability = .keyboardOnly })
            let mark = scene.told.mark
            let pairing = try await stranger.pair(with: device, .refuses)
            await stranger.leave()
            guard pairing.wasAsked else { break }
            if pairing.end?.cause == .timeout { return .waitsForItsPerson }
            guard let number = await scene.shownNumber(since: mark) else { return .untoldNumber }
            numbers.append(number)
        }
        let all = ShownNumbers(numbers)
        scene.note("it showed \(all.words) to its person, one number for each stranger")
        if let finding = weakness(all) { return finding }
        guard all.areEnough else {
            return .outOfReach(
                "it showed \(numbers.count) numbers, and then pairs no more: so few tell nothing",
                instead: "audit it while it takes \(shown) attempts, or read how it draws its numbers")
        }
        return .holds
    }

    private static func digits(_ number: UInt32) -> String { ShownNumbers.text(number) }
}

extension AuditFinding {
    /// Only its person sees the number.
    static let untoldNumber = outOfReach(
        "it shows a number to its person, and tells it nobody else",
        instead: "print it in a line with the word `passkey` and six digits in the build that is audited")
}

/// Values of one length that a device drew, in order.
struct DrawnNumbers {
    private let values: [[UInt8]]

    init(_ values: [[UInt8]]) { self.values = values }

    /// Why anybody could tell the next one, in words that follow “the values”; nil if no simple rule does.
    var weakness: String? {
        guard values.count > 2 else { return nil }
        if Set(values).count < values.count { return "repeat" }
        let steps = zip(values, values.dropFirst()).map { DrawnNumbers.difference($1, $0) }
        if Set(steps).count == 1 { return "grow by the same step each time" }
        // Of 20 values, a byte of chance is the same in all of them once in 10⁴⁵ times.
        let fixed = values[0].indices.count { place in Set(values.map { $0[place] }).count == 1 }
        if fixed > 0 { return "have \(fixed) of \(values[0].count) bytes that never change" }
        return nil
    }

    /// The difference of two numbers of one length, the lowest byte first.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var borrow = 0
        return zip(one, other).map { one, other in
            let value = Int(one) - Int(other) - borrow
            borrow = value < 0 ? 1 : 0
            return UInt8(truncatingIfNeeded: value)
        }
    }
}
