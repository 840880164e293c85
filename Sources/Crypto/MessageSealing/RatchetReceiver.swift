import CryptoKit
import FoundationEssentials

/// The result of opening a message that came over the internet.
package enum RatchetOpening: Sendable, Equatable {
    /// The message was opened; this is its content.
    case plaintext(Data)
    /// The message's key was used before, or was discarded because too many were skipped. The message is dropped (rule
    /// S7).
    case repeated
    /// The message was changed or cut (rule S5).
    case notOpened
    /// The message belongs to another key exchange.
    case otherKeys
    /// Too many messages were skipped before this one: exchange new keys.
    case tooFarAhead
}

/// Opens the messages of a ``RatchetSender`` in any order, each only once.
///
/// The keys of skipped messages are kept, up to a limit. A message that cannot be opened changes no keys. If a stranger
/// sends a made-up index, the first attempt costs at most `limit` steps, and each further one only the steps between
/// two checkpoints.
package struct RatchetReceiver: Sendable {
    /// How many keys of skipped messages are kept by default. The oldest is discarded first.
    package static let skippedLimit = 50_000
    private static let checkpointInterval: UInt64 = 500

    private let keyIdentifier: Data
    private let limit: Int
    /// The chain after the newest message that was opened.
    private var chain: RatchetChain
    private var skipped: [UInt32: SymmetricKey] = [:]
    /// The indices of skipped messages in rising order. Some of them may have arrived since.
    private var order: ArraySlice<UInt32> = []
    /// Later states of the chain in rising order, computed for messages that then could not be opened.
    private var checkpoints: [RatchetChain] = []
    /// How many steps of the chain were computed, for tests: a stranger must not be able to make this large.
    private(set) var stepCount = 0

    /// Makes a receiver at the beginning of a chain.
    ///
    /// - Parameter skippedLimit: How many keys of skipped messages are kept, and how far ahead a message may be.
    package init(chainKey: SymmetricKey, keyIdentifier: Data, skippedLimit: Int = skippedLimit) {
        self.keyIdentifier = keyIdentifier
        limit = skippedLimit
        chain = RatchetChain(chainKey: chainKey)
    }

    /// How many keys of skipped messages are stored now.
    package var skippedCount: Int { skipped.count }

    /// Opens a message in the format of ``Ratchet``.
    package mutating func open(_ message: Data) -> RatchetOpening {
        guard message.count >= Ratchet.headerLength + 28 else { return .notOpened }
        guard message.prefix(4) == keyIdentifier else { return .otherKeys }
        let index = message.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let box = try? AES.GCM.SealedBox(combined: message.dropFirst(Ratchet.headerLength)) else {
            return .notOpened
        }
        if UInt64(index) < chain.index { return openSkipped(box, index) }
        guard UInt64(index) - chain.index <= UInt64(limit) else { return .tooFarAhead }
        var ahead = chainState(at: index)
        stepCount += 1
        guard let plaintext = try? AES.GCM.open(box, using: ahead.next()) else { return .notOpened }
        advance(to: ahead, over: index)
        return .plaintext(plaintext)
    }

    private mutating func openSkipped(_ box: AES.GCM.SealedBox, _ index: UInt32) -> RatchetOpening {
        guard let key = skipped[index] else { return .repeated }
        guard let plaintext = try? AES.GCM.open(box, using: key) else { return .notOpened }
        skipped[index] = nil
        return .plaintext(plaintext)
    }

    /// The state of the chain whose next key is the key of `index`. Stores checkpoints on the way.
    private mutating func chainState(at index: UInt32) -> RatchetChain {
        var ahead = checkpoints.last { $0.index <= UInt64(index) } ?? chain
        while ahead.index < UInt64(index) {
            _ = ahead.next()
            stepCount += 1
            let last = checkpoints.last?.index ?? chain.index
            if ahead.index >= last + Self.checkpointInterval { checkpoints.append(ahead) }
        }
        return ahead
    }

    /// Advances the chain after the message of `index` was opened, and keeps the keys of the skipped messages.
    private mutating func advance(to ahead: RatchetChain, over index: UInt32) {
        while chain.index < UInt64(index) {
            let skippedIndex = UInt32(chain.index)
            skipped[skippedIndex] = chain.next()
            stepCount += 1
            order.append(skippedIndex)
        }
        chain = ahead
        checkpoints.removeAll { $0.index <= chain.index }
        while skipped.count > limit, let oldest = order.popFirst() { skipped[oldest] = nil }
        // Without this, used indices would accumulate behind a message that never arrives.
        if order.count > 2 * limit { order = ArraySlice(order.filter { skipped[$0] != nil }) }
    }
}
