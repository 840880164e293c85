/// The command lines about earlier runs.
extension Arguments {
    mutating func history() throws(UsageError) -> Request {
        var names: [String] = []
        var order = Request.HistoryOrder(task: .show(nil))
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            let (name, value) = try option(argument, flags: [], values: ["--out", "--format", "--last"])
            switch name {
            case "--out": order.out = value
            case "--format": order.format = try format(value)
            default: order.last = try Arguments.number(value, of: name, in: 1...100_000)
            }
        }
        if names.first == "import" {
            guard names.count > 1 else {
                throw UsageError(description: "`hil history import` needs the folders of runs: import results/2026*")
            }
            order.task = .add(Array(names.dropFirst()))
        } else {
            guard names.count < 2 else {
                throw UsageError(description: "`hil history` takes one scenario; “\(names[1])” is too many")
            }
            order.task = .show(names.first)
        }
        return .history(order)
    }
}
