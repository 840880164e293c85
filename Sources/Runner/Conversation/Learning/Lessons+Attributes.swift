// The attribute protocol.
extension Lessons {
    private static let serviceChanged = "2A05"

    mutating func learnDiscovery() {
        learnGreeting()
        let all = byPhone(.serviceDiscovery).filter { $0.subject.isEmpty }
        let searches = byPhone(.serviceSearch)
        if let one = all.first {
            add("serviceSearch", ".all", "it reads all services by \(one["form"] ?? "group")", one)
            if let search = searches.first { observe("it also searches for a service by its UUID", search) }
        } else if let one = searches.first {
            add("serviceSearch", ".byUUID", "it searches for a service by its UUID", one)
        }
        for one in byPhone(.characteristics) {
            guard let next = one["goes on"] else { continue }
            add("continuesAfterValue", "\(next == "after the value")", "it goes on \(next)", one)
        }
        learnServiceChanged()
    }

    private mutating func learnGreeting() {
        for link in usedLinks {
            let greeting = onLink(link).first { $0.kind == .greeting && $0.side == .phone }
            if let frame = greeting, let hex = frame["bytes"] {
                let bytes = stride(from: 0, to: hex.count, by: 2).map { place in
                    "0x" + hex.dropFirst(place).prefix(2)
                }
                let expression =
                    "BluetoothHabits.Greeting(channel: \(frame.subject), bytes: [\(bytes.joined(separator: ", "))])"
                add("greeting", expression, "\(hex) on channel \(frame.subject)", frame)
            }
        }
        learnAbsence(
            "greeting", .greeting, "BluetoothHabits.Greeting.none", "it sends no frame on an unassigned channel")
    }

    private mutating func learnServiceChanged() {
        let subscriptions = byPhone(.subscription).filter { $0.subject == Lessons.serviceChanged }
        let known = byPhone(.descriptors).first { $0.subject == Lessons.serviceChanged }
        guard let one = subscriptions.first else {
            let isProtected = conversation.procedures.contains { $0.kind == .encryption && $0["result"] == "encrypted" }
            if let known, isProtected, isWhole(known.link) {
                add(
                    "subscribesToServiceChanged", ".never", "it finds the descriptor, and does not subscribe", known,
                    .absence)
            }
            return
        }
        let secured = onLink(one.link).first { $0.kind == .encryption || $0.kind == .pairing }
        guard let secured, secured.frame < one.frame else {
            return add("subscribesToServiceChanged", ".always", "it subscribes before any pairing", one)
        }
        // If it knew the characteristic only afterwards, it could not have subscribed before.
        guard let known, known.link == one.link, known.frame < secured.frame else {
            return add("subscribesToServiceChanged", "", "it subscribes", one, .momentUnknown)
        }
        add("subscribesToServiceChanged", ".whenBonded", "it waits with its subscription for a pairing", one)
    }

    /// What the rig's phone does not do by itself, or what an app decides.
    mutating func observe() {
        for one in byPhone(.typedRead) {
            observe("it reads \(one.subject) by Read By Type, in \(one["range"] ?? "")", one)
        }
        for one in byPhone(.inclusions).prefix(1) { observe("it looks for included services", one) }
        for one in byPhone(.serviceDiscovery) where !one.subject.isEmpty {
            observe("it looks for services of type \(one.subject)", one)
        }
        for one in byPhone(.channel) {
            observe("it offers an L2CAP channel MTU \(one["MTU"] ?? "?"), MPS \(one["MPS"] ?? "?")", one)
        }
        for one in byPhone(.end) { observe("it ends links with \(one["reason"] ?? "")", one) }
        for link in usedLinks.prefix(1) {
            let begin = conversation.all(.connection).first { $0.link == link }
            var kinds: [String] = []
            for one in onLink(link)
            where one.side == .phone && one.kind != .connection && kinds.last != one.kind.rawValue {
                kinds.append(one.kind.rawValue)
            }
            if let begin {
                observe(
                    "its order: \(kinds.prefix(20).joined(separator: ", ")); an app decides what it discovers", begin)
            }
            let first = onLink(link).first { $0.kind == .serviceDiscovery && $0.side == .phone }
            if let begin, let first, first.time >= begin.time {
                observe(
                    "it begins its discovery \((first.time - begin.time) / 1_000_000) ms after it asked for the link",
                    first)
            }
        }
    }
}
