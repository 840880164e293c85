import Foundation
import POSIX
import Timing

/// Finds out which accelerator runs a board here, by starting the boards' own kernel.
///
/// `/dev/kvm` may be there and still not run a stock kernel: QEMU aborts, or spins without a word.
struct AccelerationProbe: Sendable {
    /// What `initramfs-probe` in the recipe prints.
    static let sign = "hil: this kernel runs"
    /// A kernel that KVM runs is there in a fraction of this.
    static let limit = Duration.seconds(6)

    /// The accelerator for this image on this machine, probed once and then remembered.
    static func prepare(
        image: BoardImage, qemuVersion: String, cache: Cache, progress: @escaping @Sendable (String) -> Void
    ) async throws(VirtualRigError) -> Accelerator {
        // Whether the device can be opened may change from one run to the next, and costs nothing to ask.
        guard access("/dev/kvm", R_OK | W_OK) == 0 else { return .tcg }
        let key = Fingerprint.of(image.folder, qemuVersion, Machine.kernel, Machine.processor)
        let path = try await cache.keep("accelerator-\(key)", action: "choosing an accelerator") { partial in
            progress("trying KVM with the boards' kernel")
            let accelerator: Accelerator = try await boots(image, with: .kvm) ? .kvm : .tcg
            progress(accelerator == .kvm ? "KVM runs it" : "KVM does not run it: the boards are emulated")
            try accelerator.rawValue.write(toFile: partial, atomically: false, encoding: .utf8)
        }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return Accelerator(rawValue: text) ?? .tcg
    }

    /// Whether the kernel comes to its first program within the limit.
    ///
    /// - Throws: `CancellationError`: a trial that was broken off says nothing of the accelerator.
    static func boots(
        _ image: BoardImage, with accelerator: Accelerator, qemu: String = QEMUCommand.program
    ) async throws -> Bool {
        let arguments =
            QEMUCommand.machine(memory: 128) + accelerator.arguments(cache: QEMUCommand.cacheSizes.own) + [
                "-kernel", image.kernel, "-initrd", image.initramfs,
                "-append", "console=ttyS0 quiet panic=-1 rdinit=/probe", "-chardev", "stdio,id=console",
                "-serial", "chardev:console",
            ]
        let outcome = try? await Tool.run(
            [qemu] + arguments, package: "qemu-system-x86", for: "trying \(accelerator.rawValue)", within: limit)
        try Task.checkCancellation()
        return outcome?.output.contains(sign) ?? false
    }
}

/// What of this machine decides how boards run on it.
enum Machine {
    /// The release of the kernel that runs here.
    static var kernel: String {
        (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
    }

    /// The processor's model.
    static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("model name") || $0.hasPrefix("flags") }.prefix(2)
            .joined()
    }
}
