import HIL
import RadioModel
import VirtualRig

/// The command line of `hil record`.
extension Arguments {
    mutating func record() throws(UsageError) -> Request {
        var request = Request.Recording()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard request.scenario == nil else {
                    throw UsageError(description: "`hil record` takes one scenario; “\(argument)” is too many")
                }
                request.scenario = argument
                continue
            }
            let (name, value) = try option(
                argument, flags: ["--no-build"],
                values: ["--device", "--as", "--passkey", "--rig", "--boards", "--accessory"])
            switch name {
            case "--no-build": request.mayBuild = false
            case "--device": request.device = DeviceAddress(value).map { .address($0) } ?? .named(value)
            case "--as": request.name = value
            case "--passkey":
                guard let passkey = PasskeyAnswers.passkey(value) else {
                    throw UsageError(description: "a passkey is a number of at most six digits, not “\(value)”")
                }
                request.passkey = passkey
            case "--rig":
                request.rig =
                    value == "virtual"
                    ? nil
                    : try Arguments.rig(value, refusingHand: "`hil record` reads the accessory by the phone's radio")
            case "--boards": request.boards.kind = try Arguments.boards(value)
            default: request.boards.accessory = try Arguments.system(value)
            }
        }
        if request.rig != nil, request.boards != BoardsRequest() {
            throw UsageError(
                description: "--rig names existing boards: --boards and --accessory are for virtual ones")
        }
        return .record(request)
    }
}
