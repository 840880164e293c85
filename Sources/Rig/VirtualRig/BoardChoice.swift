import RigModel

/// Which kind of boards to take.
package enum BoardChoice: String, Sendable, CaseIterable {
    /// The fastest kind that runs on this machine.
    case auto
    /// Linux as processes of this machine.
    case native
    /// QEMU, with KVM if that runs.
    case qemu
}

/// The virtual boards that a command line asks for.
package struct BoardsRequest: Sendable, Hashable {
    /// Which kind of boards to take.
    package var kind: BoardChoice
    /// The accessory board's default system.
    package var accessory: BoardSystem
    /// The path of a tar archive with the accessory board's system, in place of `accessory`; nil for none.
    package var archive: String?

    package init(_ kind: BoardChoice = .auto, accessory: BoardSystem = .debian13, archive: String? = nil) {
        self.kind = kind
        self.accessory = accessory
        self.archive = archive
    }
}

/// Chooses the kind of boards. Its checks may take seconds, so it makes only the necessary ones.
struct BoardSelection {
    /// The chosen kind, and the reason in one line.
    struct Outcome: Equatable {
        /// The base of native boards; nil for QEMU.
        var native: NativeBoards?
        /// How QEMU runs the boards; also set if it does not run them.
        var accelerator: Accelerator
        var reason: String
        /// Whether native boards would be taken if their kernel was built.
        var wantsKernel = false
    }

    /// How QEMU would run the boards, and the result of trying KVM.
    var accelerator: () async throws(RigFailure) -> (Accelerator, seen: String)
    /// The kernel of native boards in the cache; nil if it is not built.
    var kernel: () async -> NativeKernel?
    /// Builds that kernel.
    var build: () async throws(RigFailure) -> NativeKernel
    /// Starts a kernel to see whether it runs on this machine.
    var probe: (NativeKernel) async throws(RigFailure) -> NativeBoards

    /// Chooses.
    ///
    /// - Throws: ``RigFailure`` if boards that were requested by name do not run here.
    func make(_ choice: BoardChoice) async throws(RigFailure) -> Outcome {
        switch choice {
        case .native:
            let kernel = if let built = await kernel() { built } else { try await build() }
            let native = try await probe(kernel)
            return Outcome(native: native, accelerator: .tcg, reason: "\(native), as requested")
        case .qemu:
            let (accelerator, seen) = try await accelerator()
            return Outcome(accelerator: accelerator, reason: "\(BoardSelection.name(accelerator)): \(seen)")
        case .auto: return try await fastest()
        }
    }

    private func fastest() async throws(RigFailure) -> Outcome {
        let (accelerator, seen) = try await accelerator()
        let qemu = BoardSelection.name(accelerator)
        if accelerator == .kvm { return Outcome(accelerator: .kvm, reason: "\(qemu): \(seen)") }
        guard let kernel = await kernel() else {
            return Outcome(
                accelerator: accelerator,
                reason: "\(qemu), which is slower than native boards, whose kernel is not built: \(seen)",
                wantsKernel: true)
        }
        do throws(RigFailure) {
            let native = try await probe(kernel)
            return Outcome(native: native, accelerator: accelerator, reason: "\(native): \(seen)")
        } catch {
            return Outcome(
                accelerator: accelerator, reason: "\(qemu), which is slower than native boards: \(error)")
        }
    }

    private static func name(_ accelerator: Accelerator) -> String {
        switch accelerator {
        case .kvm: "QEMU with KVM"
        case .tcg: "QEMU's translator"
        }
    }
}
