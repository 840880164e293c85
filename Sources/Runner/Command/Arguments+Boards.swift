import HILBench
import HILLabgrid

/// The command lines about the boards of a bench.
extension Arguments {
    mutating func bench() throws(UsageError) -> Request {
        switch rest.popFirst() {
        case "prepare": return try benchBoards(false)
        case "restore": return try benchBoards(true)
        case "list": return try benchList()
        case "release": return try benchRelease()
        default:
            throw UsageError(description: "`hil bench` takes prepare BOARD…, restore BOARD…, list, or release [PLACE]")
        }
    }

    /// `hil bench prepare HOST ACCESSORY` and `hil bench restore …`, after the first of these words.
    mutating func benchBoards(_ isRestoring: Bool) throws(UsageError) -> Request {
        let usage = "`hil bench \(isRestoring ? "restore" : "prepare")` takes one or more boards: pi-host pi-acc"
        var request = Request.Preparing(isRestoring: isRestoring)
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard let board = BoardAddress(argument), argument != "none" else {
                    throw UsageError(description: "\(usage); “\(argument)” is not a board's name")
                }
                request.boards.append(board)
                continue
            }
            let (name, value) = try option(
                argument, flags: [], values: isRestoring ? [] : ["--adapter", "--interface"])
            if name == "--adapter" {
                request.adapter = try Arguments.adapter(value)
            } else {
                guard value.wholeMatch(of: /[A-Za-z0-9_.-]{1,15}/) != nil else {
                    throw UsageError(description: "an interface's name looks like wlan0, not “\(value)”")
                }
                request.interface = value
            }
        }
        guard !request.boards.isEmpty else { throw UsageError(description: usage) }
        guard request.boards.count == 1 || (request.adapter == nil && request.interface == nil) else {
            throw UsageError(description: "--adapter and --interface are for one board at a time")
        }
        return .prepare(request)
    }

    private static func adapter(_ text: String) throws(UsageError) -> String {
        guard text.wholeMatch(of: /([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}/) != nil else {
            throw UsageError(description: "an adapter's address looks like B8:27:EB:01:02:03, not “\(text)”")
        }
        return text.uppercased()
    }

    /// - Parameter why: Why the command cannot use a phone in a person's hand; nil if it can.
    static func rig(_ text: String, refusingHand why: String? = nil) throws(UsageError) -> RigRequest {
        let rig: RigRequest
        do throws(RigRequest.Mistake) { rig = try RigRequest(text) } catch {
            throw UsageError(description: error.description)
        }
        if case .hand = rig, let why {
            throw UsageError(description: "\(why), so a phone in a hand is for `hil run`, not “\(text)”")
        }
        guard case .labgrid = rig else { return rig }
        do { _ = try LabgridRequest(parsing: text) } catch { throw UsageError(description: error.description) }
        return rig
    }

    /// `hil doctor`, with `--rig` for a bench.
    mutating func doctor() throws(UsageError) -> Request {
        var rig: RigRequest?
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                throw UsageError(description: "`hil doctor` takes no “\(argument)”")
            }
            let (_, value) = try option(argument, flags: [], values: ["--rig"])
            rig = try Arguments.rig(value)
        }
        return .doctor(rig)
    }
}
