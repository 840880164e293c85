/// How QEMU runs a board's processor.
package enum Accelerator: String, Sendable, Codable, CaseIterable {
    /// The virtualisation of the machine's processor.
    case kvm
    /// QEMU's translator, which works on any machine.
    case tcg

    /// QEMU's options for it.
    ///
    /// - Parameter cache: The cache for translated code, in MiB. Code that does not fit is translated again and again.
    func arguments(cache: Int) -> [String] {
        switch self {
        case .kvm: ["-accel", "kvm", "-cpu", "host"]
        // Switched off because a small board does not need them and they are slow to translate: five-level page tables,
        // protection of a user's pages from the kernel, protection keys, byte copy instructions, and 32-byte registers.
        case .tcg:
            [
                "-accel", "tcg,thread=multi,tb-size=\(cache)",
                "-cpu", "max,la57=off,smap=off,pku=off,erms=off,xsave=off",
            ]
        }
    }

    /// Additional words for the kernel's command line.
    var kernelWords: [String] {
        switch self {
        case .kvm: []
        // tsc: On a busy machine the kernel measured the processor's counter five times too slow. Its clock then ran
        // five times too fast, and so did every time limit on the board. The rate of the HPET need not be measured.
        // cx16: QEMU 7.2 takes the flags after cmpxchg16b from a stale value, such as an operand. An interrupt at that
        // moment gave the kernel's allocator the direction flag, and the board a double fault.
        case .tcg: ["tsc=unstable", "clearcpuid=cx16"]
        }
    }
}
