import HIL
import HILRecord
import Testing

@testable import HILExecution

struct KernelLogTests {
    private let oops = """
        [    3.100000] hil: booted
        [   12.345678] BUG: kernel NULL pointer dereference, address: 0000000000000008\r
        [   12.345679] #PF: supervisor write access in kernel mode\r
        [   12.345680] Oops: Oops: 0002 [#1] PREEMPT SMP NOPTI\r
        [   12.345681] [  T312] RIP: 0010:hci_conn_drop+0x12/0x40 [bluetooth]\r
        [   12.345682] Call Trace:\r
        [   12.345683]  <TASK>\r
        [   12.345684]  hci_disconnect+0x40/0x90 [bluetooth]\r
        [   12.345685]  </TASK>\r
        [   12.345686] ---[ end trace 0000000000000000 ]---\r
        [   13.000000] random line\r
        """

    @Test("An oops is one error, with its backtrace")
    func anOops() throws {
        let errors = KernelErrors.errors(in: oops)
        #expect(errors.count == 1)
        let complaint = try #require(errors.first)
        #expect(complaint.summary == "BUG: kernel NULL pointer dereference, address: 0000000000000008")
        #expect(complaint.details.first == "#PF: supervisor write access in kernel mode")
        #expect(complaint.details.contains("RIP: 0010:hci_conn_drop+0x12/0x40 [bluetooth]"))
        #expect(complaint.details.last == "---[ end trace 0000000000000000 ]---")
    }

    @Test("Warnings, panics, lockups and lack of memory are errors; a healthy log has none")
    func kinds() {
        let text = """
            [    1.0] WARNING: CPU: 0 PID: 7 at net/mac80211/tx.c:12 foo+0x1/0x2
            [    1.1] ---[ end trace 0000000000000000 ]---
            [    1.2] WARNING: net/mac80211/wpa.c:462 at ieee80211_crypto_ccmp_encrypt+0xd2/0x300, CPU#0: hil-board/26
            [    1.3] ---[ end trace 0000000000000000 ]---
            [    1.4] WARNING: this word alone is none
            [    2.0] Out of memory: Killed process 42 (bluetoothd) total-vm:9000kB
            [    3.0] watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [swapper/0:1]
            [    3.1]  </TASK>
            [    4.0] Kernel panic - not syncing: Attempted to kill init!
            """
        #expect(
            KernelErrors.errors(in: text).map { $0.summary.prefix(12) } == [
                "WARNING: CPU", "WARNING: net", "Out of memor", "watchdog: BU", "Kernel panic",
            ])
        #expect(KernelErrors.errors(in: "[    1.0] Bluetooth: hci0: a BUG: was not here\n\n").isEmpty)
    }

    @Test("Kernel errors on either board are failures of the rig, and very many are only counted")
    func findings() {
        let flood = String(repeating: "[ 1.0] Out of memory: Killed process 1 (x)\n", count: 9)
        let findings = KernelErrors.findings(in: oops + "\n" + flood, of: "accessory")
        #expect(findings.count == 6)
        #expect(findings.allSatisfy { $0.kind == .rig })
        #expect(findings.first?.message.hasPrefix("the accessory board's kernel: BUG: kernel NULL pointer") == true)
        #expect(findings.last?.message == "the accessory board's kernel reported 5 more errors")
        let judgement = Judgement([Failure(.product, "expected that it rolls")] + findings)
        #expect(judgement.verdict == .error)
        #expect(judgement.cause?.message.contains("kernel NULL pointer") == true)
    }
}
