import Foundation

/// What one conversation shows of its phone.
struct Lessons {
    /// The most different things that are observed, so that a hostile capture does not fill pages.
    private static let mostObservations = 200

    let conversation: Conversation
    private(set) var habits: [Habit.Candidate] = []
    private(set) var unplayable: [LearnedPhone.Observation] = []
    /// How many different things are not among them.
    private(set) var omitted = 0
    private var observed: Set<String> = []
    /// The procedures of each link, in order.
    private let byLink: [Int: [Procedure]]
    /// The links with procedures, in order.
    let links: [Int]
    /// Links on which the phone used the attribute protocol: those that lasted long enough to show its habits.
    let usedLinks: [Int]

    init(_ conversation: Conversation) {
        self.conversation = conversation
        let byLink = Dictionary(grouping: conversation.procedures.filter { $0.link > 0 }, by: \.link)
        let links = byLink.keys.sorted()
        let uses: Set<Procedure.Kind> = [.serviceDiscovery, .serviceSearch, .read, .write, .subscription]
        usedLinks = links.filter { byLink[$0]?.contains { $0.side == .phone && uses.contains($0.kind) } ?? false }
        (self.byLink, self.links) = (byLink, links)
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
        _ property: String, _ expression: String, _ text: String, _ procedure: Procedure,
        _ evidence: Habit.Evidence = .direct
    ) {
        let source = Habit.Source(capture: conversation.name, frame: procedure.frame)
        let habit = Habit(property: property, expression: expression, text: text, source: source)
        habits.append(Habit.Candidate(habit: habit, evidence: evidence))
    }

    mutating func observe(_ text: String, _ procedure: Procedure) {
        guard observed.insert(text).inserted else { return }
        guard unplayable.count < Lessons.mostObservations else {
            omitted += 1
            return
        }
        unplayable.append(
            LearnedPhone.Observation(text: text, source: .init(capture: conversation.name, frame: procedure.frame)))
    }

    /// What the phone did of one kind.
    func byPhone(_ kind: Procedure.Kind) -> [Procedure] { conversation.all(kind).filter { $0.side == .phone } }

    /// The procedures of a link, in order.
    func onLink(_ link: Int) -> [Procedure] { byLink[link] ?? [] }

    /// Whether the phone had a bond when a link began.
    func isBonded(_ link: Int) -> Bool {
        onLink(link).contains { $0.kind == .encryption && $0["key"] == "of the bond" }
    }

    /// Whether the capture shows all of a link, from its begin to its end.
    func isWhole(_ link: Int) -> Bool {
        guard conversation.links.indices.contains(link - 1) else { return false }
        return conversation.links[link - 1].firstUnseen == nil && onLink(link).contains { $0.kind == .end }
    }

    /// The used links that show what the phone never does: whole links to an accessory that it does not know yet.
    var tellingLinks: [Int] {
        var isPaired = false
        return links.filter { link in
            defer { isPaired = isPaired || onLink(link).contains { $0.kind == .pairing && $0["result"] == "paired" } }
            return !isPaired && !isBonded(link) && isWhole(link)
        }.filter(Set(usedLinks).contains)
    }
}

// Links.
extension Lessons {
    private mutating func learnConnections() {
        for link in conversation.all(.connection) {
            if let asked = link["asked for"] {
                add("connection", Lessons.parameters(asked), asked, link)
            } else if let result = link["result"] {
                add("connection", Lessons.parameters(result), "\(result), as it was chosen", link, .indirect)
            }
            if let scan = link["scan"], let expression = Lessons.scan(scan, isActive: true) {
                add("connectionScan", expression, scan, link)
            }
            if let clock = link["clock"] { observe("the clock of its controller is that of \(clock)", link) }
        }
        for change in byPhone(.connectionParameters) {
            if let asked = change["asked for"] {
                guard change["carried out"] == nil else { continue }
                add("settledConnection", Lessons.parameters(asked), asked, change)
            } else if conversation.vantage != .phoneHost, let result = change["result"] {
                // The phone's own host would have asked its controller.
                add("settledConnection", Lessons.parameters(result), "\(result), as it was chosen", change, .indirect)
            }
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
            guard let one = all.first(where: { $0.kind == kind && $0.side == .phone }) else { continue }
            guard let encryption = all.first(where: { $0.kind == .encryption && $0["key"] == "of the bond" }) else {
                add(property, "", "it \(words)", one, .momentUnknown)
                continue
            }
            let isEarly = one.frame < encryption.lastFrame
            add(
                property, isEarly ? ".connected" : ".encrypted",
                "it \(words) \(isEarly ? "before" : "after") encryption", one)
        }
        learnAbsence(property, kind, ".never", "it never \(words)")
    }

    /// That a link passed without a procedure. If the accessory began one, the phone had no reason to.
    mutating func learnAbsence(_ property: String, _ kind: Procedure.Kind, _ expression: String, _ text: String) {
        guard !conversation.leftToController.contains(kind) else { return }
        for link in tellingLinks {
            guard let begin = onLink(link).first, !onLink(link).contains(where: { $0.kind == kind }) else { continue }
            add(property, expression, text, begin, .absence)
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
