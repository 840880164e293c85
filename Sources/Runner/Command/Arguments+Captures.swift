import HILConversation
import HILHistory

/// Commands about phones in captures, and runs that are laid side by side.
extension Arguments {
    mutating func parity() throws(UsageError) -> Request {
        var names: [String] = []
        var request = Request.ParityRequest(first: "", second: "")
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            let (name, value) = try option(
                argument, flags: [],
                values: [
                    "--out", "--format", "--least-change", "--fail-on", "--accessory", "--second-accessory",
                    "--phone", "--second-phone", "--network", "--second-network",
                ])
            switch name {
            case "--out": request.out = value
            case "--format": request.format = try format(value)
            case "--fail-on": request.failOn = try Arguments.sorts(value)
            case "--accessory": request.accessory = value
            case "--second-accessory": request.secondAccessory = value
            case "--phone": request.phone = value
            case "--second-phone": request.secondPhone = value
            case "--network": request.network = value
            case "--second-network": request.secondNetwork = value
            default:
                let least = try Arguments.leastChange(value)
                request.leastChange = Parity.LeastChange(share: least.share, seconds: least.seconds)
            }
        }
        guard names.count == 2 else {
            throw UsageError(
                description: "`hil parity` takes two runs, usually the one on the virtual rig first, or a capture and "
                    + "RUN/SCENARIO")
        }
        (request.first, request.second) = (names[0], names[1])
        return .parity(request)
    }

    mutating func learn() throws(UsageError) -> Request {
        var request = Request.Learning()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                request.captures.append(argument)
                continue
            }
            let (name, value) = try option(
                argument, flags: [], values: ["--name", "--out", "--accessory", "--phone", "--network", "--format"])
            switch name {
            case "--name": request.name = value
            case "--out": request.out = value
            case "--accessory": request.accessory = value
            case "--phone": request.phone = value
            case "--network": request.network = value
            default: request.format = try format(value)
            }
        }
        guard !request.captures.isEmpty else {
            throw UsageError(description: "`hil learn` takes captures of one phone, such as lamp.pklg")
        }
        guard request.format == .text || request.out == nil else {
            throw UsageError(description: "--out is for the personality in Swift: print the JSON with `> FILE`")
        }
        return .learn(request)
    }

    private static func sorts(_ text: String) throws(UsageError) -> Set<ConversationParity.Sort> {
        var sorts: Set<ConversationParity.Sort> = []
        for word in text.split(separator: ",").map(String.init) {
            guard let sort = ConversationParity.Sort(rawValue: word) else {
                let known = ConversationParity.Sort.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(description: "--fail-on takes some of \(known), not “\(word)”")
            }
            sorts.insert(sort)
        }
        return sorts
    }
}
