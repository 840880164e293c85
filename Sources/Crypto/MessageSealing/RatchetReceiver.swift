import CryptoKit
import FoundationEssentials

/// What became of a message that came over the internet.
public enum RatchetOpening: Sendable, Equatable {
    /// It opened; what was in it.
    case plaintext(Data)
    /// Its key was used, or was given up when too many were skipped: it is dropped (rule S7).
    case repeated
    /// It was altered or cut (rule S5).
    case notOpened
    /// It belongs to other keys than these.
    case otherKeys
    /// So many were skipped before it that new keys are due.
    case tooFarAhead
}

/// Opens the messages of a ``RatchetSender``, in any order, each once.
///
/// The keys of messages that are still to come are kept, up to a limit; nothing of a message that does not open is. An index
/// that a stranger made up costs at most the limit's steps once, and then those between two checkpoints.
public struct RatchetReceiver: Sendable {
    /// So many keys of skipped messages are kept; the oldest goes first.
    public static let skippedLimit = 50_000
    private static let checkpointInterval: UInt64 = 500

    private let keyIdentifier: Data
    private let limit: Int
    /// Its index is one more than that of the newest message that opened.
    private var chain: RatchetChain
    private var skipped: [UInt32: SymmetricKey] = [:]
    /// The indices of what was skipped, rising; some of them were used meanwhile.
    private var order: ArraySlice<UInt32> = []
    /// The chain further on, rising, where messages that did not open have made us look.
    private var checkpoints: [RatchetChain] = []
    /// How many steps the chain and its looks ahead have taken: what a stranger can make this cost.
    private(set) var stepCount = 0

    /// - Parameter skippedLimit: how many keys are kept, and how far a message may be ahead.
    public init(chainKey: SymmetricKey, keyIdentifier: Data, skippedLimit: Int = skippedLimit) {
        self.keyIdentifier = keyIdentifier
        limit = skippedLimit
        chain = RatchetChain(chainKey: chainKey)
    }

    /// How many keys of skipped messages are kept.
    public var skippedCount: Int { skipped.count }

    /// Opens a message as ``Ratchet`` lays it out.
    public mutating func open(_ message: Data) -> RatchetOpening {
        guard message.count >= Ratchet.headerLength + 28 else { return .notOpened }
        guard message.prefix(4) == keyIdentifier else { return .otherKeys }
        let index = message.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let box = try? AES.GCM.SealedBox(combined: message.dropFirst(Ratchet.headerLength)) else {
            return .notOpened
        }
        if UInt64(index) < chain.index { return openSkipped(box, index) }
        guard UInt64(index) - chain.index <= UInt64(limit) else { return .tooFarAhead }
        var ahead = look(aheadTo: index)
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

    /// The chain whose next key is the one of `index`; the way there is remembered by checkpoints.
    private mutating func look(aheadTo index: UInt32) -> RatchetChain {
        var ahead = checkpoints.last { $0.index <= UInt64(index) } ?? chain
        while ahead.index < UInt64(index) {
            _ = ahead.next()
            stepCount += 1
            let last = checkpoints.last?.index ?? chain.index
            if ahead.index >= last + Self.checkpointInterval { checkpoints.append(ahead) }
        }
        return ahead
    }

    /// Goes on after the message of `index` has opened, and keeps the keys of those before it.
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
        // Otherwise used indices would pile up behind one message that never comes.
        if order.count > 2 * limit { order = ArraySlice(order.filter { skipped[$0] != nil }) }
    }
}
