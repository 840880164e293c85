/// How QEMU runs a board's processor.
package enum Accelerator: String, Sendable, Codable, CaseIterable {
    /// The machine's own virtualisation.
    case kvm
    /// QEMU's translator: needs nothing of the machine.
    case tcg

    /// QEMU's options for it.
    ///
    /// - Parameter cache: How much translated code is kept, in MiB; what does not fit is translated again and again.
    func arguments(cache: Int) -> [String] {
        switch self {
        case .kvm: ["-accel", "kvm", "-cpu", "host"]
        // What a small board gains nothing by, and the translator is slow at: page tables of five levels, protection of a
        // user's pages from the kernel, protection keys, copying byte by byte, and 32-byte registers.
        case .tcg:
            [
                "-accel", "tcg,thread=multi,tb-size=\(cache)",
                "-cpu", "max,la57=off,smap=off,pku=off,erms=off,xsave=off",
            ]
        }
    }

    /// What the boards' kernel is told because of it.
    var kernelWords: [String] {
        switch self {
        case .kvm: []
        // On a busy machine the kernel was seen to measure the processor's counter five times too slow; its clock then ran
        // five times too fast, and so did every time limit on the board. The HPET tells its rate itself.
        // QEMU 7.2 takes the flags after cmpxchg16b from what it remembered of older ones: an operand, for example. An
        // interrupt that came just then gave the kernel's allocator the direction flag, and the board a double fault.
        case .tcg: ["tsc=unstable", "clearcpuid=cx16"]
        }
    }
}
