import HILLabgrid
import HILReports

/// The command lines about the places of a labgrid coordinator.
extension Arguments {
    /// `hil bench list …`, after these words.
    mutating func benchList() throws(UsageError) -> Request {
        var request = Request.BenchRequest(task: .list)
        while let argument = rest.popFirst() {
            let (name, value) = try option(argument, flags: [], values: ["--coordinator", "--format"])
            if name == "--format" {
                request.format = try format(value)
            } else {
                request.coordinator = try Arguments.coordinator(value)
            }
        }
        return .bench(request)
    }

    /// `hil bench release …`, after these words.
    mutating func benchRelease() throws(UsageError) -> Request {
        var (place, byForce) = (String?.none, false)
        var request = Request.BenchRequest(task: .list)
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
            case "--format": request.format = try format(value)
            default: request.coordinator = try Arguments.coordinator(value)
            }
        }
        guard place != nil || !byForce else {
            throw UsageError(description: "--force takes a place from whoever holds it: name the place")
        }
        request.task = .release(place, byForce: byForce)
        return .bench(request)
    }

    private static func coordinator(_ text: String) throws(UsageError) -> String {
        do { return try LabgridRequest.coordinator(named: text, environment: [:]) } catch {
            throw UsageError(description: error.description)
        }
    }
}
