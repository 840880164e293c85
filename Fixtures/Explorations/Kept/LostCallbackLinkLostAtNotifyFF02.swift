import HIL

// As `hil explore lostCallback --keep` writes it, and the same with the mended app.

package let lostCallbackLinkLostAtNotifyFF02 = Scenario(
    "An app that waits for a lamp's answer hears when the link is lost [app=faulty]: linkLost at notify(FF02)",
    exploring: lostCallback, where: "app=faulty", faults: [.init("linkLost", at: "notify(FF02)")],
    usual: "phoneBonds=0 accessoryBonds=0 accessories=1 networks=0 phoneNetwork=0 accessoryNetworks=0",
    left: "phoneBonds=0 accessoryBonds=0 accessories=0 networks=0 phoneNetwork=0 accessoryNetworks=0")

package let lostCallbackIsMended = Scenario(
    "An app that waits for a lamp's answer hears when the link is lost [app=mended]: linkLost at notify(FF02)",
    exploring: lostCallback, where: "app=mended", faults: [.init("linkLost", at: "notify(FF02)")],
    usual: "phoneBonds=0 accessoryBonds=0 accessories=1 networks=0 phoneNetwork=0 accessoryNetworks=0",
    left: "phoneBonds=0 accessoryBonds=0 accessories=0 networks=0 phoneNetwork=0 accessoryNetworks=0")
