import FoundationEssentials

/// Keeps pushes by token, each until its phone has confirmed it.
struct PushMailboxes: Sendable {
    /// How many tokens are kept. A new one replaces the least recently used token without a phone.
    static let tokenLimit = 64
    /// How many pushes wait for one token. A new one replaces the oldest.
    static let pushLimit = 16

    private struct Push {
        let number: UInt32
        let body: Data
    }

    private struct Mailbox {
        var phone: Int?
        var waiting: [Push] = []
        /// The count of uses at the latest use.
        var lastUse: UInt64
    }

    private var mailboxes: [Data: Mailbox] = [:]
    private var lastNumber: UInt32 = 0
    private var useCount: UInt64 = 0

    /// How many pushes wait.
    var count: Int { mailboxes.values.reduce(0) { $0 + $1.waiting.count } }

    /// Keeps a push, and sends it if the phone is connected.
    mutating func add(_ body: Data, for token: Data) -> [SimulatedInternet.Output] {
        guard use(token) else { return [.note("a push was dropped: no room for another token")] }
        lastNumber &+= 1
        let push = Push(number: lastNumber, body: body)
        var outputs: [SimulatedInternet.Output] = []
        if let count = mailboxes[token]?.waiting.count, count >= Self.pushLimit {
            mailboxes[token]?.waiting.removeFirst()
            outputs.append(.note("the oldest of \(count) pushes was dropped"))
        }
        mailboxes[token]?.waiting.append(push)
        guard let phone = mailboxes[token]?.phone else {
            return outputs + [.note("push \(push.number), \(body.count) bytes, waits for its phone")]
        }
        return outputs + send(push, of: token, to: phone)
    }

    /// A phone registers for a token. Returns the waiting pushes; nil if there is no room for another token.
    mutating func register(_ token: Data, _ phone: Int) -> [SimulatedInternet.Output]? {
        guard use(token) else { return nil }
        mailboxes[token]?.phone = phone
        return mailboxes[token]?.waiting.flatMap { send($0, of: token, to: phone) } ?? []
    }

    /// A phone confirms a push.
    mutating func taken(_ number: UInt32, by phone: Int) {
        for token in mailboxes.keys where mailboxes[token]?.phone == phone {
            mailboxes[token]?.waiting.removeAll { $0.number == number }
        }
    }

    /// A phone has disconnected. Pushes that it has not confirmed wait for it.
    mutating func closed(_ phone: Int) {
        for token in mailboxes.keys where mailboxes[token]?.phone == phone { mailboxes[token]?.phone = nil }
    }

    /// Marks a token as used; false if there is no room for another token.
    private mutating func use(_ token: Data) -> Bool {
        useCount += 1
        if mailboxes[token] == nil {
            if mailboxes.count >= Self.tokenLimit {
                let away = mailboxes.filter { $0.value.phone == nil }
                guard let oldest = away.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return false }
                mailboxes[oldest.key] = nil
            }
            mailboxes[token] = Mailbox(lastUse: useCount)
        }
        mailboxes[token]?.lastUse = useCount
        return true
    }

    private func send(_ push: Push, of token: Data, to phone: Int) -> [SimulatedInternet.Output] {
        let message = PushMessage.push(number: push.number, token: token, body: push.body)
        return [
            .note("push \(push.number), \(push.body.count) bytes, to connection \(phone)"),
            .send(Data(message.frame.bytes), to: phone),
        ]
    }
}
