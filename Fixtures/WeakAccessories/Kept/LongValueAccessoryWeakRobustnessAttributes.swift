import HIL

// As `hil audit longValue --only robustness.attributes --keep` writes it, and the same with the hardened twin.

package let longValueAccessoryWeakRobustnessAttributes = Scenario(
    "A lamp with a buffer for its brightness survives the packets of an audit [accessory=weak]",
    attacking: longValue, where: "accessory=weak", control: "robustness.attributes",
    packets: [
        // Write Request, handle 0x0010: 12 10 00 86 48 3A D1 1B F6 CC 10 D6 30 1A C1 7F 83 0E 77 BB … (39 bytes)
        "2700040012100086483AD11BF6CC10D6301AC17F830E77BB46292C1BF6CC10D6301AC17F830E77BB46292C"
    ])

package let longValueIsMended = Scenario(
    "A lamp with a buffer for its brightness survives the packets of an audit [accessory=hardened]",
    attacking: longValue, where: "accessory=hardened", control: "robustness.attributes",
    packets: ["2700040012100086483AD11BF6CC10D6301AC17F830E77BB46292C1BF6CC10D6301AC17F830E77BB46292C"])
