import BoardProtocol
import RigModel

/// The files and programs that a virtual rig is made from, as ``RigSetUp`` found or made them.
package struct RigParts: Sendable, Codable, Equatable {
    /// The boards that a rig of these parts has; the host board is always among them.
    package var boards = BoardRole.allCases
    /// Those of them that wait until a command needs them: native boards without power, QEMU's restored and paused. A
    /// board that boots does not wait.
    package var asleep: Set<BoardRole> = []
    /// The host board's image.
    package var image: BoardImage
    /// The accessory board's system.
    package var system = BoardSystem.debian13
    /// The accessory board's image.
    package var accessoryImage: BoardImage
    /// The disk with `hil-board`.
    package var agentDisk: String
    /// The accessory board's disk with the files of an accessory's program; nil if it has none.
    package var payloadDisk: String?
    /// RootCanal's library.
    package var rootCanal: String
    /// The SHA-256 of `hil-air`, which talks to the boards' kernels, as RootCanal does.
    package var air: String
    /// The base of native boards; nil if QEMU runs the boards.
    package var native: NativeBoards?
    /// Why boards of this kind were chosen, in one line.
    package var choice = ""
    /// Whether native boards would have been chosen if their kernel was built.
    package var wantsKernel = false
    /// How QEMU runs the boards' processors.
    package var accelerator: Accelerator
    /// The first line of `qemu-system-x86_64 --version`; empty for native boards.
    package var qemuVersion: String
    /// The snapshot that boards are restored from; nil makes every board boot.
    package var snapshot: Snapshot?

    init(
        image: BoardImage, agentDisk: String, rootCanal: String, air: String, accelerator: Accelerator,
        qemuVersion: String, snapshot: Snapshot? = nil
    ) {
        self.image = image
        accessoryImage = image
        self.agentDisk = agentDisk
        self.rootCanal = rootCanal
        self.air = air
        self.accelerator = accelerator
        self.qemuVersion = qemuVersion
        self.snapshot = snapshot
    }

    /// The same parts, for boards that boot.
    package var cold: RigParts {
        var parts = self
        parts.snapshot = nil
        parts.asleep = []
        return parts
    }

    /// The image of a board.
    func image(of role: BoardRole) -> BoardImage { role == .host ? image : accessoryImage }

    /// A fingerprint of everything that a snapshot of these parts depends on.
    var snapshotKey: String {
        var fingerprint = Fingerprint()
        // RootCanal and the air count, because the boards' kernels have set up their controllers.
        for text in [agentDisk, rootCanal, air, qemuVersion, accelerator.rawValue] { fingerprint.add(text) }
        for image in [image, accessoryImage] {
            fingerprint.add(image.folder)
            // An image that was removed and built again has the same name, but newer packages.
            fingerprint.add(Seal(of: image.folder).text)
        }
        for role in [BoardRole.host, .accessory] {
            fingerprint.add(QEMUCommand.layout(role: role, accelerator: accelerator))
        }
        // With KVM a board has the machine's own processor.
        if accelerator == .kvm { fingerprint.add(Machine.processor) }
        return fingerprint.name
    }
}
