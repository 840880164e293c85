import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// Finds out whether KVM can run a board on this machine, by starting the boards' own kernel.
///
/// Even with `/dev/kvm`, a stock kernel may not run: QEMU aborts, or hangs without a message.
struct AccelerationProbe: Sendable {
    /// The text that `initramfs-probe` in the recipe prints.
    static let sign = "hil: this kernel runs"
    /// The time limit of a trial: 6 s, of which a kernel on KVM needs a fraction, or `$HIL_PROBE_SECONDS`.
    static let limit = limit(in: ProcessInfo.processInfo.environment)

    static func limit(in environment: [String: String]) -> Duration {
        environment["HIL_PROBE_SECONDS"].flatMap(Int.init).flatMap { $0 > 0 ? .seconds($0) : nil } ?? .seconds(6)
    }

    /// The result of a trial.
    struct Trial: Sendable, Equatable {
        /// Whether the kernel started its first program within the limit.
        var isUp: Bool
        /// The observation, in one line.
        var seen: String
    }

    /// Why KVM need not be tried; nil if it must be tried.
    static var obstacle: String? {
        if access("/dev/kvm", R_OK | W_OK) == 0 { return nil }
        return errno == ENOENT ? "there is no /dev/kvm" : "/dev/kvm: \(String(cString: strerror(errno)))"
    }

    private static func name(_ image: BoardImage, _ qemuVersion: String) -> String {
        let key = Fingerprint.of("2", image.folder, qemuVersion, Machine.kernel, Machine.processor)
        return "accelerator-\(key)"
    }

    /// The accelerator chosen for this image on this machine, and the result of the trial; nil if there was no trial
    /// yet.
    static func remembered(
        image: BoardImage, qemuVersion: String, cache: Cache
    ) -> (accelerator: Accelerator, seen: String)? {
        guard let text = try? String(contentsOfFile: cache.path(name(image, qemuVersion)), encoding: .utf8) else {
            return nil
        }
        let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
        guard let accelerator = lines.first.flatMap(Accelerator.init) else { return nil }
        return (accelerator, lines.count > 1 ? lines[1] : "")
    }

    /// The accelerator for this image on this machine, probed once and then remembered.
    static func prepare(
        image: BoardImage, qemuVersion: String, cache: Cache, progress: @escaping @Sendable (String) -> Void
    ) async throws(RigFailure) -> Accelerator {
        // Not cached: it is quick to check, and may change from one run to the next.
        guard obstacle == nil else { return .tcg }
        _ = try await cache.keep(name(image, qemuVersion), action: "choosing an accelerator") { partial in
            progress("trying KVM with the boards' kernel, \(limit.short) at most")
            let trial = try await boots(image, with: .kvm)
            progress(
                trial.isUp ? "KVM runs it" : "KVM does not run here (`hil doctor` shows why): the boards are emulated")
            let accelerator: Accelerator = trial.isUp ? .kvm : .tcg
            try "\(accelerator.rawValue)\n\(trial.seen)".write(toFile: partial, atomically: false, encoding: .utf8)
        }
        return remembered(image: image, qemuVersion: qemuVersion, cache: cache)?.accelerator ?? .tcg
    }

    /// Tries whether the kernel starts its first program within the limit.
    ///
    /// - Throws: `CancellationError`: a cancelled trial shows nothing about the accelerator.
    static func boots(
        _ image: BoardImage, with accelerator: Accelerator, qemu: String = QEMUCommand.program
    ) async throws -> Trial {
        let arguments =
            QEMUCommand.machine(memory: 128) + accelerator.arguments(cache: QEMUCommand.cacheSizes.own) + [
                "-kernel", image.kernel, "-initrd", image.initramfs,
                "-append", "console=ttyS0 quiet panic=-1 rdinit=/probe", "-chardev", "stdio,id=console",
                "-serial", "chardev:console",
            ]
        let began = ContinuousClock.now
        do {
            let outcome = try await Tool.run(
                [qemu] + arguments, package: "qemu-system-x86", for: "trying \(accelerator.rawValue)", within: limit)
            try Task.checkCancellation()
            let isUp = outcome.output.contains(sign)
            let time = (ContinuousClock.now - began).short
            let seen = isUp ? "the boards' kernel was up after \(time)" : "QEMU \(outcome.status) after \(time)"
            let last = isUp ? "" : outcome.tail(1)
            return Trial(isUp: isUp, seen: last.isEmpty ? seen : "\(seen): \(last)")
        } catch {
            try Task.checkCancellation()
            return Trial(isUp: false, seen: "the boards' kernel printed nothing for \(limit.short)")
        }
    }
}

/// The properties of this machine that decide how boards run on it.
enum Machine {
    /// The release of this machine's kernel.
    static var kernel: String {
        (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
    }

    /// The processor's model and features.
    static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("model name") || $0.hasPrefix("flags") }.prefix(2)
            .joined()
    }
}

extension RigSetUp {
    /// How the boards' processors are run on this machine, and why, in one line.
    package func accelerator() async -> String {
        if let why = AccelerationProbe.obstacle { return "QEMU's boards are emulated, which is slower: \(why)" }
        guard let name = try? BoardImage.name(recipe: recipe), let version = try? await RigSetUp.qemuVersion(),
            let (accelerator, seen) = AccelerationProbe.remembered(
                image: BoardImage(folder: cache.path(name)), qemuVersion: version, cache: cache)
        else { return "/dev/kvm may be used; the set-up tries whether it runs the boards' kernel" }
        switch accelerator {
        case .kvm: return "QEMU's boards run on KVM: when it was tried, \(seen)"
        case .tcg: return "QEMU's boards are emulated, though /dev/kvm may be used: when it was tried, \(seen)"
        }
    }
}
