import HIL

let payloadIsSent = Scenario("A payload is sent in time, and only once", over: Axis("megabytes", [1, 20])) {
    lab, megabytes in
    let folder = NSTemporaryDirectory() + "hil-payload-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // In files of 1 MB, of which one can be fetched whole.
    let random = try lab.require(FileHandle(forReadingAtPath: "/dev/urandom"), "the machine has random numbers")
    var content = Data()
    for number in 0..<megabytes {
        content = try random.read(upToCount: 1_000_000) ?? Data()
        try content.write(to: URL(fileURLWithPath: "\(folder)/data\(number)"))
    }
    let program = AccessoryProgram(named: "payload", files: folder, command: ["sleep", "1000"])
    let none = AccessoryProgram(named: "payload", command: ["sleep", "1000"])
    for (what, program) in [("without files", none), ("with files", program), ("with the same files", program)] {
        let began = ContinuousClock.now
        let running = try await lab.accessory.run(program)
        lab.note("\(what), the program is started after \((ContinuousClock.now - began).short)")
        if program.files != nil {
            lab.expect(try await running.fetch("data\(megabytes - 1)") == content, "the file is the same on the board")
        }
        try await running.stop(grace: .zero)
    }
}
