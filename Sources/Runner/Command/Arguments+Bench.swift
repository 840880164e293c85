import HILLabgrid
import HILReports

/// The command lines about the places of a labgrid coordinator.
extension Arguments {
    /// `hil bench list …`, after these words.
    mutating func benchList() throws(UsageError) -> Request {
        var order = Request.BenchOrder(task: .list)
        while let argument = rest.popFirst() {
            let (name, value) = try option(argument, flags: [], values: ["--coordinator", "--format"])
            if name == "--format" {
                order.format = try format(value)
            } else {
                order.coordinator = try Arguments.coordinator(value)
            }
        }
        return .bench(order)
    }

    /// `hil bench release …`, after these words.
    mutating func benchRelease() throws(UsageError) -> Request {
        var (place, byForce) = (String?.none, false)
        var order = Request.BenchOrder(task: .list)
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard place == nil else {
                    throw UsageError(description: "`hil bench release` takes one place; “\(argument)” is too many")
                }
                place = argument
                continue
            }
            let (name, value) = try option(argument, flags: ["--force"], values: ["--coordinator", "--format"])
            switch name {
            case "--force": byForce = true
            case "--format": order.format = try format(value)
            default: order.coordinator = try Arguments.coordinator(value)
            }
        }
        guard place != nil || !byForce else {
            throw UsageError(description: "--force takes a place from whoever holds it: name the place")
        }
        order.task = .release(place, byForce: byForce)
        return .bench(order)
    }

    private static func coordinator(_ text: String) throws(UsageError) -> String {
        do { return try LabgridRequest.coordinator(named: text, environment: [:]) } catch {
            throw UsageError(description: error.description)
        }
    }
}
