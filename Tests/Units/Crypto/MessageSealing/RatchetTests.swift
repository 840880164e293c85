import CryptoKit
import FoundationEssentials
import TestSupport
import Testing

@testable import MessageSealing

@Suite struct RatchetTests {
    private let chainKey = SymmetricKey(data: Data(0..<32))
    private let identifier = Data([1, 2, 3, 4])

    private func pair(limit: Int = 100) -> (RatchetSender, RatchetReceiver) {
        (
            RatchetSender(chainKey: chainKey, keyIdentifier: identifier),
            RatchetReceiver(chainKey: chainKey, keyIdentifier: identifier, skippedLimit: limit)
        )
    }

    private func messages(_ count: Int, _ sender: inout RatchetSender) throws -> [Data] {
        try (0..<count).map { try #require(try sender.seal(Data("message \($0)".utf8))) }
    }

    private func text(_ number: Int) -> RatchetOpening { .plaintext(Data("message \(number)".utf8)) }

    @Test("Messages have the documented layout, and their keys are those of HKDF", .covers("S4"))
    func layout() throws {
        var (sender, _) = pair()
        let sealed = try messages(3, &sender)
        var chain = chainKey
        for (number, message) in sealed.enumerated() {
            #expect(message.prefix(8) == identifier + [UInt8(number), 0, 0, 0])
            let info = Data("AccessoryTransportSecurity-RatchetKeys-".utf8) + [UInt8(number), 0, 0, 0]
            let keys = HKDF<SHA256>.expand(pseudoRandomKey: chain, info: info, outputByteCount: 64)
                .withUnsafeBytes { Data($0) }
            let plaintext = try AES.GCM.open(
                AES.GCM.SealedBox(combined: message.dropFirst(8)), using: SymmetricKey(data: keys.prefix(32)))
            #expect(plaintext == Data("message \(number)".utf8))
            chain = SymmetricKey(data: keys.suffix(32))
        }
        let hash = SHA384.hash(data: Data("key".utf8))
        #expect(Ratchet.keyIdentifier(of: Data("key".utf8)) == Data(hash.prefix(4)))
        #expect(Ratchet.contextHostToAccessory("A-B") == Data("AccessoryInternetKey-HostToAccessory-A-B".utf8))
        #expect(Ratchet.contextAccessoryToHost("A-B") == Data("AccessoryInternetKey-AccessoryToHost-A-B".utf8))
    }

    @Test("A key identifier may be a slice: messages begin at index 0 and open", .covers("S4"))
    func slicedIdentifier() throws {
        let sliced = (Data([9, 9]) + identifier).dropFirst(2)
        var sender = RatchetSender(chainKey: chainKey, keyIdentifier: sliced)
        var receiver = RatchetReceiver(chainKey: chainKey, keyIdentifier: sliced)
        let message = try #require(try sender.seal(Data("message 0".utf8)))
        #expect(message.startIndex == 0)
        #expect(receiver.open(message) == text(0))
    }

    @Test("In any order, each message opens once; a repetition is dropped", .covers("S7"))
    func anyOrder() throws {
        var random = SeededNumbers(seed: 0x5EED)
        for _ in 0..<40 {
            var (sender, receiver) = pair(limit: 30)
            let sealed = try messages(30, &sender)
            for number in sealed.indices.shuffled(using: &random) {
                #expect(receiver.open(sealed[number]) == text(number))
                #expect(receiver.open(sealed[number]) == .repeated)
                #expect(receiver.skippedCount <= 30)
            }
            #expect(receiver.skippedCount == 0, "a key is removed when it is used")
        }
    }

    @Test("A message that is cut or has any bit changed is refused; the original still opens afterwards", .covers("S5"))
    func alterations() throws {
        var (sender, receiver) = pair()
        let sealed = try messages(3, &sender)
        #expect(receiver.open(sealed[2]) == text(2))
        for message in [sealed[0], try messages(1, &sender)[0]] {
            for count in message.indices { #expect(receiver.open(message.prefix(count)) == .notOpened) }
            for bit in 0..<message.count * 8 {
                var altered = message
                altered[bit / 8] ^= 1 << UInt8(bit % 8)
                let expected: [RatchetOpening] =
                    switch bit / 8 {
                    case 0..<4: [.otherKeys]
                    case 4..<8: [.notOpened, .repeated, .tooFarAhead]
                    default: [.notOpened]
                    }
                #expect(expected.contains(receiver.open(altered)), "bit \(bit)")
            }
        }
        #expect(receiver.open(sealed[0]) == text(0))
        #expect(receiver.open(sealed[1]) == text(1))
    }

    @Test("A message beyond the limit is too far ahead; at the limit, all skipped keys are kept")
    func limit() throws {
        var (sender, receiver) = pair(limit: 10)
        let sealed = try messages(30, &sender)
        #expect(receiver.open(sealed[11]) == .tooFarAhead)
        #expect(receiver.skippedCount == 0)
        #expect(receiver.open(sealed[10]) == text(10))
        #expect(receiver.skippedCount == 10)
        #expect(receiver.open(sealed[13]) == text(13))
        #expect(receiver.skippedCount == 10)
        #expect(receiver.open(sealed[0]) == .repeated, "the oldest keys were discarded")
        #expect(receiver.open(sealed[1]) == .repeated)
        for number in 2..<10 { #expect(receiver.open(sealed[number]) == text(number)) }
        #expect(receiver.open(sealed[12]) == text(12))
    }

    @Test("Made-up indices cost the steps of the chain only once, store no keys and change nothing")
    func madeUpIndices() throws {
        var (sender, receiver) = pair(limit: RatchetReceiver.skippedLimit)
        let sealed = try messages(2, &sender)
        func forged(_ index: UInt32) -> Data { identifier + Data(index.littleEndianBytes) + Data(count: 40) }
        for index: UInt32 in [1 << 31, .max, 50_001] { #expect(receiver.open(forged(index)) == .tooFarAhead) }
        #expect(receiver.open(forged(50_000)) == .notOpened)
        let first = receiver.stepCount
        #expect(first == 50_001)
        for index: UInt32 in [49_999, 25_000, 3, 50_000] { #expect(receiver.open(forged(index)) == .notOpened) }
        #expect(receiver.stepCount - first < 4 * 502)
        #expect(receiver.skippedCount == 0)
        #expect(receiver.open(sealed[1]) == text(1))
        #expect(receiver.open(sealed[0]) == text(0))
    }

    @Test("A chain is exhausted after its last index")
    func exhausted() throws {
        var chain = RatchetChain(chainKey: chainKey, index: UInt64(UInt32.max))
        #expect(!chain.isExhausted)
        _ = chain.next()
        #expect(chain.isExhausted)
        var sender = RatchetSender(chain: chain, keyIdentifier: identifier)
        #expect(try sender.seal(Data()) == nil)
    }
}
