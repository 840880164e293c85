import HILComparison
import HILParity

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

    mutating func compare() throws(UsageError) -> Request {
        var names: [String] = []
        var order = Request.Comparing(first: "", second: "")
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            let (name, value) = try option(
                argument, flags: ["--fail-on-regression"], values: ["--out", "--format", "--least-change"])
            switch name {
            case "--fail-on-regression": order.failsOnRegression = true
            case "--out": order.out = value
            case "--format": order.format = try format(value)
            default: order.leastChange = try Arguments.leastChange(value)
            }
        }
        guard names.count == 2 else {
            throw UsageError(description: "`hil compare` takes two runs, the earlier one first, as in RUN latest")
        }
        (order.first, order.second) = (names[0], names[1])
        return .compare(order)
    }

    mutating func parity() throws(UsageError) -> Request {
        var names: [String] = []
        var order = Request.ParityOrder(first: "", second: "")
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            let (name, value) = try option(argument, flags: [], values: ["--out", "--format", "--least-change"])
            switch name {
            case "--out": order.out = value
            case "--format": order.format = try format(value)
            default:
                let least = try Arguments.leastChange(value)
                order.leastChange = Parity.LeastChange(share: least.share, seconds: least.seconds)
            }
        }
        guard names.count == 2 else {
            throw UsageError(description: "`hil parity` takes two runs, as a rule the one on the virtual rig first")
        }
        (order.first, order.second) = (names[0], names[1])
        return .parity(order)
    }

    mutating func report() throws(UsageError) -> Request {
        var order = Request.Reporting()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                order.runs.append(argument)
                continue
            }
            let (name, value) = try option(
                argument, flags: [],
                values: ["--out", "--baseline", "--to", "--junit", "--junit-flavor", "--single-file"])
            switch name {
            case "--baseline": order.baseline = Baseline(value)
            case "--to": order.folder = value
            case "--junit": order.junit = value
            case "--junit-flavor": order.flavor = try Arguments.flavor(value)
            case "--single-file": order.singleFile = value
            default: order.out = value
            }
        }
        return .report(order)
    }

    mutating func watch() throws(UsageError) -> Request {
        var order = Request.Watching()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard order.run == nil else {
                    throw UsageError(description: "`hil watch` takes one run; “\(argument)” is too many")
                }
                order.run = argument
                continue
            }
            let (name, value) = try option(argument, flags: [], values: ["--out", "--port"])
            if name == "--out" {
                order.out = value
            } else {
                order.port = UInt16(try Arguments.number(value, of: name, in: 1...65_535))
            }
        }
        return .watch(order)
    }

    mutating func play() throws(UsageError) -> Request {
        var order = Request.Playing()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard order.scenario == nil else {
                    throw UsageError(description: "`hil play` takes one scenario; “\(argument)” is too many")
                }
                order.scenario = argument
                continue
            }
            let (name, value) = try option(
                argument, flags: ["--no-build"], values: ["--record", "--port", "--boards", "--accessory"])
            switch name {
            case "--no-build": order.mayBuild = false
            case "--record": order.record = value
            case "--port": order.port = UInt16(try Arguments.number(value, of: name, in: 1...65_535))
            case "--boards": order.boards.kind = try Arguments.boards(value)
            default: order.boards.accessory = try Arguments.system(value)
            }
        }
        return .play(order)
    }

    /// Reads `20%,100ms`.
    private static func leastChange(_ text: String) throws(UsageError) -> StepTimes.LeastChange {
        guard let match = text.wholeMatch(of: /(\d{1,4})%,(\d{1,7})ms/), let share = Double(match.1),
            let milliseconds = Double(match.2)
        else {
            throw UsageError(description: "the least change is a share and a time, as in 20%,100ms, not “\(text)”")
        }
        return StepTimes.LeastChange(share: share / 100, seconds: milliseconds / 1000)
    }
}
