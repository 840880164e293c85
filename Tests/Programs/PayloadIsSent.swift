import HIL

let payloadIsSent = Scenario("A payload of 1 MB is sent in time, and only once") { lab in
    let folder = NSTemporaryDirectory() + "hil-payload-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let content = Data((0..<1_000_000).map { _ in UInt8.random(in: 0...255) })
    try content.write(to: URL(fileURLWithPath: folder + "/data"))
    let program = AccessoryProgram(named: "payload", files: folder, command: ["sleep", "1000"])
    let none = AccessoryProgram(named: "payload", command: ["sleep", "1000"])
    for (what, program) in [("without files", none), ("with 1 MB", program), ("with the same 1 MB", program)] {
        let began = ContinuousClock.now
        let running = try await lab.accessory.run(program)
        lab.note("\(what), the program is started after \((ContinuousClock.now - began).short)")
        if program.files != nil {
            lab.expect(try await running.fetch("data") == content, "the file is the same on the board")
        }
        try await running.stop(grace: .zero)
    }
}
