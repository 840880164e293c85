import Foundation
import HILPOSIX
import RigModel

/// A stock board as a virtual machine of QEMU, whose processor is emulated.
final class EmulatedStockMachine: StockMachine {
    let name: String
    let address = "127.0.0.1"
    let port: UInt16
    private let process: ChildProcess
    private let folder: String

    /// - Parameter folder: Where the air looks for its ports: `bluetooth.sock` and `wifi.sock`.
    init(_ name: String, image: String, agentDisk: String, folder: String) throws {
        self.name = name
        self.folder = folder
        // Free now, and so probably in a moment.
        port = try LoopbackPort().number
        let words = [
            "console=ttyS0", "quiet", "mitigations=off", "nokaslr", "audit=0", "no_timer_check", "cryptomgr.notests",
            "systemd.hostname=\(name)",
        ]
        func radioPort(_ name: String, _ number: Int) -> [String] {
            [
                "-chardev", "socket,id=\(name),path=\(folder)/\(name).sock,server=on,wait=off",
                "-device", "virtserialport,bus=ports.0,nr=\(number),chardev=\(name),name=\(name)",
            ]
        }
        let output = try Descriptor.open("\(folder)/qemu.log", O_WRONLY | O_CREAT | O_APPEND)
        process = try ChildProcess.spawn(
            [
                "qemu-system-x86_64", "-nodefaults", "-no-user-config", "-M", "q35,usb=off,sata=off,smbus=off", "-smp",
                "1", "-m", "512", "-display", "none", "-accel", "tcg,tb-size=128", "-kernel", "\(image)/kernel",
                "-initrd", "\(image)/initramfs", "-append", words.joined(separator: " "),
                "-device", "virtio-serial-pci,id=ports",
            ] + radioPort("bluetooth", 2) + radioPort("wifi", 3) + [
                "-drive", "if=none,id=vda,file=\(image)/root.ext4,format=raw,snapshot=on",
                "-device", "virtio-blk-pci,drive=vda",
                "-drive", "if=none,id=vdb,file=\(agentDisk),format=raw,readonly=on",
                "-device", "virtio-blk-pci,drive=vdb",
                "-netdev", "user,id=net,hostfwd=tcp:127.0.0.1:\(self.port)-:22",
                "-device", "virtio-net-pci,netdev=net,romfile=", "-device", "virtio-rng-pci",
                "-chardev", "file,id=console,path=\(folder)/kernel.log", "-serial", "chardev:console",
                "-qmp", "unix:\(folder)/qmp.sock,server=on,wait=off",
            ],
            streams: [.null, .descriptor(output), .descriptor(output)], ownGroup: true, atParentDeath: .kill)
    }

    var end: ExitStatus? { process.status }

    func setNetwork(_ isUp: Bool) throws { try command("set_link", #"{"name":"net","up":\#(isUp)}"#) }

    func reset() throws { try command("system_reset", "{}") }

    /// Gives QEMU an order, and returns when it was carried out.
    ///
    /// - Parameter arguments: A JSON object.
    private func command(_ name: String, _ arguments: String) throws {
        let socket = try UnixSocket.connect(to: "\(folder)/qmp.sock")
        var text = ""
        func read(until mark: String) throws {
            while !text.contains(mark) {
                let bytes = try socket.read()
                if bytes.isEmpty || text.contains(#""error""#) {
                    throw RigFailure(name, "QEMU answered \(text)")
                }
                text += String(decoding: bytes, as: UTF8.self)
            }
        }
        try read(until: "QMP")
        try socket.write(Array(#"{"execute":"qmp_capabilities","id":"1"}"#.utf8))
        try read(until: #""id": "1""#)
        try socket.write(Array(#"{"execute":"\#(name)","arguments":\#(arguments),"id":"2"}"#.utf8))
        try read(until: #""id": "2""#)
    }

    func stop() async {
        process.signal(SIGKILL)
        _ = await process.wait()
    }
}
