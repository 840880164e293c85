import HILHistory

/// The command lines about earlier runs.
extension Arguments {
    mutating func history() throws(UsageError) -> Request {
        var names: [String] = []
        var request = Request.HistoryRequest(task: .show(nil))
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            let (name, value) = try option(argument, flags: [], values: ["--out", "--format", "--last"])
            switch name {
            case "--out": request.out = value
            case "--format": request.format = try format(value)
            default: request.last = try Arguments.number(value, of: name, in: 1...100_000)
            }
        }
        if names.first == "import" {
            guard names.count > 1 else {
                throw UsageError(description: "`hil history import` needs the folders of runs: import results/2026*")
            }
            request.task = .add(Array(names.dropFirst()))
        } else {
            guard names.count < 2 else {
                throw UsageError(description: "`hil history` takes one scenario; “\(names[1])” is too many")
            }
            request.task = .show(names.first)
        }
        return .history(request)
    }

    mutating func compare() throws(UsageError) -> Request {
        var names: [String] = []
        var request = Request.Comparing(first: "", second: "")
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            let (name, value) = try option(
                argument, flags: ["--fail-on-regression"], values: ["--out", "--format", "--least-change"])
            switch name {
            case "--fail-on-regression": request.failsOnRegression = true
            case "--out": request.out = value
            case "--format": request.format = try format(value)
            default: request.leastChange = try Arguments.leastChange(value)
            }
        }
        guard names.count == 2 else {
            throw UsageError(description: "`hil compare` takes two runs, the earlier one first, as in RUN latest")
        }
        (request.first, request.second) = (names[0], names[1])
        return .compare(request)
    }

    mutating func report() throws(UsageError) -> Request {
        var request = Request.Reporting()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                request.runs.append(argument)
                continue
            }
            let (name, value) = try option(
                argument, flags: [],
                values: ["--out", "--baseline", "--to", "--junit", "--junit-flavor", "--single-file"])
            switch name {
            case "--baseline": request.baseline = Baseline(value)
            case "--to": request.folder = value
            case "--junit": request.junit = value
            case "--junit-flavor": request.flavor = try Arguments.flavor(value)
            case "--single-file": request.singleFile = value
            default: request.out = value
            }
        }
        return .report(request)
    }

    mutating func watch() throws(UsageError) -> Request {
        var request = Request.Watching()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard request.run == nil else {
                    throw UsageError(description: "`hil watch` takes one run; “\(argument)” is too many")
                }
                request.run = argument
                continue
            }
            let (name, value) = try option(argument, flags: [], values: ["--out", "--port"])
            if name == "--out" {
                request.out = value
            } else {
                request.port = UInt16(try Arguments.number(value, of: name, in: 1...65_535))
            }
        }
        return .watch(request)
    }

    mutating func play() throws(UsageError) -> Request {
        var request = Request.Playing()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard request.scenario == nil else {
                    throw UsageError(description: "`hil play` takes one scenario; “\(argument)” is too many")
                }
                request.scenario = argument
                continue
            }
            let (name, value) = try option(
                argument, flags: ["--no-build"], values: ["--record", "--port", "--boards", "--accessory"])
            switch name {
            case "--no-build": request.mayBuild = false
            case "--record": request.record = value
            case "--port": request.port = UInt16(try Arguments.number(value, of: name, in: 1...65_535))
            case "--boards": request.boards.kind = try Arguments.boards(value)
            default: request.boards.accessory = try Arguments.system(value)
            }
        }
        return .play(request)
    }

    /// Reads `20%,100ms`.
    static func leastChange(_ text: String) throws(UsageError) -> StepTimes.LeastChange {
        guard let match = text.wholeMatch(of: /(\d{1,4})%,(\d{1,7})ms/), let share = Double(match.1),
            let milliseconds = Double(match.2)
        else {
            throw UsageError(description: "the least change is a share and a time, as in 20%,100ms, not “\(text)”")
        }
        return StepTimes.LeastChange(share: share / 100, seconds: milliseconds / 1000)
    }
}
