import CryptoKit
import FoundationEssentials
import MessageSealing
import TestSupport
import Testing

@Suite struct MessageSealingTests {
    private let key = SymmetricKey(size: .bits256)

    @Test(
        "A sealed message opens once; a repetition is recognised by its nonce, even if the rest was changed",
        .covers("S7"))
    func once() throws {
        var sealer = MessageSealer(key: key)
        var opener = MessageOpener(key: key)
        for text in ["", "yes", "yes"] {
            let sealed = try sealer.seal(Data(text.utf8))
            #expect(sealed.count == 28 + text.utf8.count)
            #expect(opener.open(sealed) == .plaintext(Data(text.utf8)))
            #expect(opener.open(sealed) == .repeated)
            #expect(opener.open(sealed.dropLast() + [sealed.last! ^ 1]) == .repeated)
        }
        #expect(sealer.messageCount == 3)
    }

    @Test("A message that is cut or has any bit changed is refused; the original still opens afterwards", .covers("S5"))
    func alterations() throws {
        var sealer = MessageSealer(key: key)
        var opener = MessageOpener(key: key)
        let sealed = try sealer.seal(Data("yes".utf8))
        for count in 0..<sealed.count { #expect(opener.open(sealed.prefix(count)) == .notOpened) }
        #expect(opener.open(sealed + [0]) == .notOpened)
        for bit in 0..<sealed.count * 8 {
            var altered = sealed
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(opener.open(altered) == .notOpened)
        }
        var other = MessageOpener(key: SymmetricKey(size: .bits256))
        #expect(other.open(sealed) == .notOpened)
        #expect(opener.open(sealed) == .plaintext(Data("yes".utf8)))
    }

    @Test("After its limit an opener opens no more messages but still recognises repetitions")
    func limit() throws {
        var sealer = MessageSealer(key: key)
        var opener = MessageOpener(key: key, limit: 3)
        let sealed = try (0..<4).map { try sealer.seal(Data([$0])) }
        for message in sealed[..<3] { _ = opener.open(message) }
        #expect(opener.open(sealed[3]) == .exhausted)
        #expect(opener.open(sealed[0]) == .repeated)
    }
}
