import HIL

extension AccessoryProgram {
    /// Tells what it finds in a file that it has synced and in one that it has not, in its own folder and in two of the
    /// system, and writes them when it is asked to.
    fileprivate static let writer = AccessoryProgram(
        named: "writer", files: "Tests/Programs/Trials/BoardPrograms/Accessory",
        command: [
            "sh", "-c",
            """
            content() { [ -s "$1" ] && cat "$1" || echo none; }
            for place in state /var/lib/writer /etc/writer; do
                echo "$place: $(content "$place"), $(content "$place.late")"
            done
            trap 'echo ended in order >/var/lib/writer.end; exit 0' TERM
            echo ready
            while read -r word; do
                for place in state /var/lib/writer /etc/writer; do
                    echo "$word" >"$place.new"
                    sync "$place.new"
                    mv "$place.new" "$place"
                    sync "$(dirname "$place")"
                done
                for place in state /var/lib/writer /etc/writer; do echo "$word" >"$place.late"; done
                echo "wrote $word"
            done
            """,
        ], ready: .line(containing: "ready"))
}

extension RunningProgram {
    /// What the latest start has found.
    fileprivate var found: [String] {
        lines.map(\.text).split(separator: "ready").last.map { $0.suffix(3).map { String($0) } } ?? []
    }
}

let diskIsKept = Scenario(
    "A power cut leaves a program what it has synced, and takes the rest; a reboot takes nothing", .needs(.power),
    .accessory(.writer), .budget(.seconds(120))
) { lab in
    let writer = try await lab.accessory.run(.writer)
    let places = ["state", "/var/lib/writer", "/etc/writer"]
    lab.expect(writer.found, equals: places.map { "\($0): none, none" }, "a new board has none of its files")

    try await writer.send("one")
    try await writer.prints("wrote one")
    try await lab.rig.withFault(.powerCut(on: .accessory)) {}
    try await writer.restart()
    lab.expect(writer.found, equals: places.map { "\($0): one, none" }, "what was synced is there, and no more")

    try await writer.send("two")
    try await writer.prints("wrote two")
    try await lab.rig.withFault(.reboot(on: .accessory)) {}
    try await writer.restart()
    lab.expect(writer.found, equals: places.map { "\($0): two, two" }, "everything is there")
    let end = try await writer.fetch("/var/lib/writer.end")
    lab.expect(end, equals: Data("ended in order\n".utf8), "it was asked to end, and could write")
    try await writer.stop()

    let fresh = try await lab.accessory.run(.writer)
    lab.expect(
        fresh.found, equals: ["state: none, none"] + places.dropFirst().map { "\($0): two, two" },
        "run gives it its own folder as it is in the package")
}

let diskIsFullAndCut = Scenario(
    "A disk that was full when the power was cut has room again", .needs(.power, .ownBoards),
    .budget(.seconds(120))
) { lab in
    try await lab.rig.withFault(.diskFull(on: .accessory)) {
        let writer = try await lab.accessory.run(
            AccessoryProgram(
                named: "filler", command: ["sh", "-c", "echo x >/var/lib/more || echo full; exec sleep 1000"]))
        try await writer.prints("full")
        try await writer.stop()
        try await lab.rig.withFault(.powerCut(on: .accessory)) {}
        let after = try await lab.accessory.run(
            AccessoryProgram(
                named: "filler", command: ["sh", "-c", "echo x >/var/lib/more && echo room; exec sleep 1000"]))
        lab.expect(try await after.prints("room"), equals: "room", "the disk has room again")
    }
}
