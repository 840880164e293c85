import HIL
import RadioModel
import VirtualRig

/// The command line of `hil record`.
extension Arguments {
    mutating func record() throws(UsageError) -> Request {
        var order = Request.Recording()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard order.scenario == nil else {
                    throw UsageError(description: "`hil record` takes one scenario; “\(argument)” is too many")
                }
                order.scenario = argument
                continue
            }
            let (name, value) = try option(
                argument, flags: ["--no-build"],
                values: ["--device", "--as", "--passkey", "--rig", "--boards", "--accessory"])
            switch name {
            case "--no-build": order.mayBuild = false
            case "--device": order.device = DeviceAddress(value).map { .address($0) } ?? .named(value)
            case "--as": order.name = value
            case "--passkey":
                guard let passkey = PasskeyAnswers.passkey(value) else {
                    throw UsageError(description: "a passkey is a number of at most six digits, not “\(value)”")
                }
                order.passkey = passkey
            case "--rig": order.rig = value == "virtual" ? nil : try Arguments.rig(value)
            case "--boards": order.boards.kind = try Arguments.boards(value)
            default: order.boards.accessory = try Arguments.system(value)
            }
        }
        if order.rig != nil, order.boards != BoardOrder() {
            throw UsageError(
                description: "--rig takes boards as they are: --boards and --accessory are for virtual ones")
        }
        return .record(order)
    }
}
