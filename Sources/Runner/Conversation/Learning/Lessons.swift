import Foundation

/// What one conversation shows of its phone.
struct Lessons {
    let conversation: Conversation
    private(set) var habits: [Habit.Candidate] = []
    private(set) var unplayable: [LearnedPhone.Observation] = []

    init(_ conversation: Conversation) {
        self.conversation = conversation
        if conversation.vantage == .wifi {
            observeWiFi()
            return
        }
        learnConnections()
        learnScans()
        learnLinkProcedures()
        learnPairing()
        learnSecurity()
        learnDiscovery()
        learnAddresses()
        observe()
    }

    mutating func add(
        _ property: String, _ expression: String, _ text: String, _ procedure: Procedure, isIndirect: Bool = false
    ) {
        let source = Habit.Source(capture: conversation.name, frame: procedure.frame)
        let habit = Habit(property: property, expression: expression, text: text, source: source)
        habits.append(Habit.Candidate(habit: habit, isIndirect: isIndirect))
    }

    mutating func observe(_ text: String, _ procedure: Procedure) {
        guard !unplayable.contains(where: { $0.text == text }) else { return }
        unplayable.append(
            LearnedPhone.Observation(text: text, source: .init(capture: conversation.name, frame: procedure.frame)))
    }

    /// What the phone did of one kind.
    func byPhone(_ kind: Procedure.Kind) -> [Procedure] { conversation.all(kind).filter { $0.side == .phone } }

    /// The procedures of a link, in order.
    func onLink(_ link: Int) -> [Procedure] { conversation.procedures.filter { $0.link == link } }

    var links: [Int] { Set(conversation.procedures.map(\.link)).filter { $0 > 0 }.sorted() }

    /// Whether the phone had a bond when a link began.
    func isBonded(_ link: Int) -> Bool {
        onLink(link).contains { $0.kind == .encryption && $0["key"] == "of the bond" }
    }

    /// Links on which the phone used the attribute protocol: those that lasted long enough to show its habits.
    var usedLinks: [Int] {
        links.filter { link in
            onLink(link).contains {
                $0.side == .phone
                    && [.serviceDiscovery, .serviceSearch, .read, .write, .subscription].contains($0.kind)
            }
        }
    }
}

// Links.
extension Lessons {
    private mutating func learnConnections() {
        for link in conversation.all(.connection) {
            if let asked = link["asked for"] {
                add("connection", Lessons.parameters(asked), asked, link)
            } else if let result = link["result"] {
                add("connection", Lessons.parameters(result), "\(result), as it was chosen", link, isIndirect: true)
            }
            if let scan = link["scan"], let expression = Lessons.scan(scan, isActive: true) {
                add("connectionScan", expression, scan, link)
            }
            if let clock = link["clock"] { observe("the clock of its controller is that of \(clock)", link) }
        }
        for change in byPhone(.connectionParameters) {
            guard let asked = change["asked for"], change["carried out"] == nil else { continue }
            add("settledConnection", Lessons.parameters(asked), asked, change)
        }
        for request in conversation.all(.connectionParameters) where request.side == .accessory {
            if let answer = request["answer"], let asked = request["asked for"] {
                observe("it \(answer) the accessory's request for \(asked); the rig decides by Apple's rules", request)
            }
        }
    }

    private mutating func learnScans() {
        // Passive scans are for devices that it knows.
        let scans = conversation.all(.scan)
        guard let scan = scans.first(where: { $0["form"] == "active" }) ?? scans.first,
            let text = scan["scan"], let form = scan["form"],
            let expression = Lessons.scan(text, isActive: form == "active")
        else { return }
        add("scan", expression, "\(text), \(form)", scan)
    }

    private mutating func learnLinkProcedures() {
        for exchange in byPhone(.mtu) {
            if let offered = exchange["offered"] { add("mtu", offered, "\(offered) bytes", exchange) }
        }
        for request in byPhone(.dataLength) {
            guard let bytes = request["bytes"], let time = request["µs"] else { continue }
            add("dataLength", bytes, "\(bytes) bytes", request)
            add("dataLengthTime", time, "\(time) µs", request)
        }
        for request in byPhone(.phy) {
            guard let asked = request["asked for"] else { continue }
            let names = ["1M": ".oneMegabit", "2M": ".twoMegabit", "Coded": ".coded"]
            let phys = asked.components(separatedBy: ", ").compactMap { names[$0] }
            if !phys.isEmpty { add("phys", "[\(phys.joined(separator: ", "))]", asked, request) }
        }
        learnMoment("mtuMoment", .mtu, "exchanges the MTU")
        guard conversation.vantage != .accessoryHost else { return }
        learnMoment("dataLengthMoment", .dataLength, "asks for long packets")
        learnMoment("phyMoment", .phy, "asks for a PHY")
        learnMoment("versionMoment", .version, "reads the version")
        learnMoment("featuresMoment", .features, "reads the features")
    }

    /// Only a link with a bond shows whether a procedure waits for encryption.
    private mutating func learnMoment(_ property: String, _ kind: Procedure.Kind, _ words: String) {
        for link in usedLinks {
            let all = onLink(link)
            guard let one = all.first(where: { $0.kind == kind && $0.side == .phone }) else {
                if !conversation.isPartial, let begin = all.first {
                    add(property, ".never", "it never \(words)", begin, isIndirect: true)
                }
                continue
            }
            guard let encryption = all.first(where: { $0.kind == .encryption && $0["key"] == "of the bond" }) else {
                continue
            }
            let isEarly = one.frame < encryption.lastFrame
            add(
                property, isEarly ? ".connected" : ".encrypted",
                "it \(words) \(isEarly ? "before" : "after") encryption", one)
        }
    }
}

// Values in Swift.
extension Lessons {
    /// The numbers in a text, in their order.
    static func numbers(_ text: String) -> [Double] {
        text.split { !($0.isASCII && ($0.isNumber || $0 == ".")) }.compactMap { Double($0) }
    }

    /// Of `interval 10 to 30 ms, latency 0, supervision timeout 720 ms`, or with one interval.
    static func parameters(_ text: String) -> String {
        var numbers = numbers(text)
        if numbers.count == 3 { numbers.insert(numbers[0], at: 0) }
        guard numbers.count == 4 else { return "nil" }
        let (least, most) = (Decimal.text(numbers[0]), Decimal.text(max(numbers[0], numbers[1])))
        return "ConnectionParameters(\n    milliseconds: \(least)...\(most), latency: \(Int(numbers[2])), "
            + "timeout: .milliseconds(\(Int(numbers[3]))))"
    }

    /// Of `30 of 40 ms`.
    static func scan(_ text: String, isActive: Bool) -> String? {
        let numbers = numbers(text)
        guard numbers.count == 2 else { return nil }
        return "BluetoothHabits.Scan(interval: \(Decimal.text(numbers[1])), window: \(Decimal.text(numbers[0])), "
            + "isActive: \(isActive))"
    }
}
