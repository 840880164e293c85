import Foundation
import HILBluetoothHost
import RadioModel
import Testing

@testable import HIL

@Suite("What an audit reads from names and numbers")
struct AuditJudgementTests {
    @Test(
        "A name that tells of a person or of a single device is told apart from one of a kind",
        arguments: [
            ("Kim's Lamp", "of a person"), ("Kim’s Lamp", "of a person"),
            ("Lamp 4F2A19", "a single device by “4F2A19”"),
            ("SN0042917", "a single device by “0042917”"),
            ("Lamp-02:00:00:00:02:B8", "a single device by “02:00:00:00:02:B8”"), ("Lamp", nil),
            ("Lamp 7", nil),
            ("Facade", nil), ("Die-12", nil), ("", nil),
        ])
    func names(name: String, what: String?) { #expect(TellingName(name).what == what) }

    @Test("Values that repeat, count or keep bytes follow a rule, and values of chance do not")
    func values() {
        #expect(DrawnNumbers([[1, 2], [3, 4], [1, 2]]).weakness == "repeat")
        #expect(DrawnNumbers([[254, 0], [255, 0], [0, 1], [1, 1]]).weakness == "grow by the same step each time")
        #expect(DrawnNumbers([[10, 0], [4, 0], [7, 0]]).weakness == "have 1 of 2 bytes that never change")
        #expect(DrawnNumbers([[10, 3], [4, 200], [7, 41]]).weakness == nil)
        #expect(DrawnNumbers([[1], [1]]).weakness == nil, "two values tell nothing")
    }

    @Test(
        "Shown numbers with digits that never change are short, and counted ones are foreseen; those of chance are neither"
    )
    func shownNumbers() {
        let short = ShownNumbers([1976, 9103, 5212, 77, 4490, 8001])
        #expect(short.shortness?.hasPrefix("are all below 10000: 001976, 009103") == true, "\(short.shortness ?? "")")
        #expect(short.shortness?.hasSuffix("by chance once in 10^10") == true)
        #expect(short.predictability == nil)
        let prefixed = ShownNumbers([712_345, 798_102, 734_111, 700_934, 755_555, 781_239, 722_001, 767_676])
        #expect(prefixed.shortness?.hasPrefix("have 1 of six digits that never change") == true)
        #expect(ShownNumbers([712_345, 798_102, 734_111, 700_934]).shortness == nil, "four may have it by chance")
        let counted = ShownNumbers([999_997, 999_998, 999_999, 0, 1])
        #expect(counted.predictability?.hasPrefix("grow by 1 each time: 999997, 999998") == true)
        let drawn = ShownNumbers([712_345, 98_102, 334_111, 900_934, 155_555, 681_239, 22_001, 467_676])
        #expect(drawn.shortness == nil && drawn.predictability == nil && drawn.areEnough)
        #expect(ShownNumbers([5, 6, 7]).predictability == nil && !ShownNumbers([5, 6, 7]).areEnough)
        #expect(ShownNumbers([1, 1, 1, 1, 1, 1, 1, 1]).shortness == nil, "a fixed number has a control of its own")
    }

    /// The rounds of an accessory, with what shows after each write.
    private static func rounds(
        _ shown: (_ isRepeated: Bool, _ number: Int) -> (line: String?, value: UInt8?)
    ) -> EffectsOfWrites {
        EffectsOfWrites(
            before: [3: [0]],
            rounds: EffectsOfWrites.order.enumerated().map { number, isRepeated in
                let (line, value) = shown(isRepeated, number)
                return EffectsOfWrites.Round(
                    isRepeated: isRepeated, lines: Set([line].compactMap(\.self)),
                    values: value.map { [3: [$0]] } ?? [:])
            })
    }

    @Test("A repeated write is obeyed if something shows after it, and not after a copy with one other bit")
    func effects() {
        func evidence(_ effects: EffectsOfWrites) -> String? { effects.evidence { "FF0\($0)" } }
        #expect(evidence(Self.rounds { isRepeated, _ in (isRepeated ? "opens" : "refuses", nil) }) == "it says “opens”")
        #expect(evidence(Self.rounds { isRepeated, _ in (nil, isRepeated ? 40 : 41) }) == "FF03 changes")
        var count: UInt8 = 0
        let counts = Self.rounds { isRepeated, _ in
            count += isRepeated ? 1 : 0
            return ("written", count)
        }
        #expect(evidence(counts) == "FF03 changes")
        #expect(evidence(Self.rounds { _, _ in ("written", 40) }) == nil, "it does the same after any write")
        #expect(evidence(Self.rounds { _, number in ("tick", UInt8(number)) }) == nil, "it changes by itself")
        #expect(evidence(Self.rounds { _, number in (nil, UInt8(number % 2)) }) == nil, "at each second write")
        #expect(evidence(Self.rounds { _, number in (number == 0 ? "opens" : nil, nil) }) == nil, "only once")
    }

    @Test("Copies of a write have one other bit each; a short value has no room for its owner's code")
    func copies() {
        let long = OwnersWrites.Write(handle: 3, value: [UInt8](0..<8))
        #expect(long.isLongEnoughForCode && long.copies.count == 4)
        #expect(long.copies.allSatisfy { copy in zip(copy, long.value).count { $0 != $1 } == 1 })
        let short = OwnersWrites.Write(handle: 3, value: [40])
        #expect(!short.isLongEnoughForCode && short.copies == [[41]])
        #expect(OwnersWrites.Write(handle: 3, value: []).copies == [[0]])
    }

    @Test(
        "What the owner writes is kept once, also in pieces: once they are executed, and without those of a link before"
    )
    func written() throws {
        let writes = OwnersWrites()
        let device = try #require(DeviceAddress("5A:11:22:33:44:55"))
        func note(_ pdu: ATTPDU, _ direction: RawPacket.Direction = .sent) {
            writes.note(RawPacket(direction, device, channel: RawPacket.attributes, Data(pdu.bytes)))
        }
        func piece(_ offset: UInt16, _ value: [UInt8], of handle: UInt16 = 5) {
            note(.prepareWriteRequest(AttributeWrite(handle, offset: offset, value)))
        }
        for _ in 1...2 { note(.writeRequest(handle: 3, value: [40])) }
        note(.writeRequest(handle: 4, value: [41]), .received)
        note(.writeCommand(handle: 3, value: [40]))
        piece(0, [1, 2])
        piece(2, [3])
        // The link was lost: it begins again.
        piece(0, [4, 5])
        piece(2, [6])
        piece(9, [7])
        piece(0, [8], of: 7)
        note(.executeWriteRequest(commits: true))
        piece(0, [9])
        note(.executeWriteRequest(commits: false))
        note(.executeWriteRequest(commits: true))
        #expect(
            writes.all == [
                .init(handle: 3, value: [40]), .init(handle: 3, value: [40], form: .command),
                .init(handle: 5, value: [4, 5, 6], form: .long), .init(handle: 7, value: [8], form: .long),
            ])
    }

    @Test("A repeated write neither holds nor is breached if nothing shows whether it was obeyed")
    func repetitions() {
        func finding(_ outcomes: [(RepeatedWrite.Outcome, isMeant: Bool)]) -> String {
            var writes = RepeatedWrites()
            for outcome in outcomes { writes.add("1 byte to FF01", isMeant: outcome.isMeant, outcome.0) }
            return switch writes.finding {
            case .holds: "holds"
            case .breached(let what): what
            case .doesNotApply(let why): "does not apply: \(why)"
            case .outOfReach(let why, _): "out of reach: \(why)"
            }
        }
        #expect(finding([(.refused, false)]) == "holds")
        #expect(finding([(.obeyed("it opens"), false)]).hasSuffix("is obeyed: 1 byte to FF01 (it opens)"))
        #expect(finding([(.unseen, false), (.refused, false)]).hasPrefix("out of reach: "))
        #expect(finding([(.unseen, true)]).contains("declare `signed:`"))
        #expect(finding([(.obeyed("it opens"), true)]).contains("declare `signed:`"))
        #expect(finding([]).hasPrefix("does not apply"))
    }

    @Test("What the next owner reads is left of the owner before if it was another value, and is what the owner wrote")
    func left() {
        let writes = [
            OwnersWrites.Write(handle: 3, value: [40]),
            OwnersWrites.Write(handle: 5, value: Array("Smiths\nsecret".utf8)),
        ]
        func handles(fresh: [UInt16: [UInt8]], left: [UInt16: [UInt8]]) -> [UInt16] {
            LeftValues(writes: writes, fresh: fresh, left: left).handles
        }
        #expect(handles(fresh: [3: [10]], left: [3: [40]]) == [3])
        #expect(handles(fresh: [3: [40]], left: [3: [40]]) == [], "it is what every new one has")
        #expect(handles(fresh: [3: [10]], left: [3: [11]]) == [], "it changes by itself")
        #expect(handles(fresh: [5: []], left: [5: Array("Smiths".utf8)]) == [5], "a part of what was written")
        #expect(handles(fresh: [7: []], left: [7: Array("on “Smiths\nsecret”".utf8)]) == [7], "in another value")
        #expect(handles(fresh: [7: [1]], left: [7: [40]]) == [], "a byte elsewhere is chance")
        let values = LeftValues(writes: writes, fresh: [3: [10], 5: []], left: [3: [10]])
        #expect(values.unread(of: [3, 5]) == [5] && values.unread(of: [3]) == [])
    }

    @Test("Bytes of advertisements that stay beside a private address are counted")
    func steady() throws {
        let device = try #require(DeviceAddress("5A:11:22:33:44:55"))
        func heard(_ data: [UInt8]) -> Advertisement {
            var advertisement = Advertisement(address: device)
            advertisement.manufacturerData = [0x02E5: Data(data)]
            return advertisement
        }
        #expect(SteadyData([heard([1, 2, 3, 4]), heard([1, 9, 3, 4])]).steadyBytes == 3)
        #expect(SteadyData([heard([1, 2, 3, 4]), heard([1, 2, 3, 4])]).steadyBytes == 4)
        #expect(SteadyData([Advertisement(address: device)]).steadyBytes == 0)
        #expect(SteadyData([heard([1, 2])]).words == "2 bytes of data in the only advertisement")
        #expect(
            SteadyData([heard([1, 2]), heard([1, 3])]).words
                == "1 byte of data that stayed as they were in 2 advertisements")
    }

    @Test("What strangers read is tried as a passphrase, also without its dashes")
    func guesses() {
        var guesses = PassphraseGuesses(from: [], [])
        guesses.add(Array("HT77-204-1138".utf8))
        #expect(guesses.all.contains("HT77-204-1138") && guesses.all.contains("HT772041138"))
        #expect(!guesses.all.contains("cinder fjord walnut"))
    }

    @Test("Who begins to pair and then waits for its person in vain has not refused: the check is out of reach")
    func waiting() {
        let (late, refused) = (
            PairingEnd(.timeout, by: .peer, while: .response),
            PairingEnd(.refused(.authenticationRequirements), by: .peer, while: .response)
        )
        func isOutOfReach(_ finding: AuditFinding) -> Bool { if case .outOfReach = finding { true } else { false } }
        #expect(isOutOfReach(.refusal(late, hasAnswered: true)))
        #expect(!isOutOfReach(.refusal(late, hasAnswered: false)), "it did not even answer")
        #expect(!isOutOfReach(.refusal(refused, hasAnswered: true)) && !isOutOfReach(.refusal(nil, hasAnswered: true)))
    }
}
