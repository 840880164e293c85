import HIL
import LanternApp

let restartedLantern = Scenario(
    "A lantern that was set up joins the home's network again after a restart and after a crash", .tags(.wifi),
    .accessory(.lantern), .needs(.homeNetwork)
) { lab in
    let home = try await lab.homeNetwork.open()
    let (lantern, app) = try await lab.addedLantern()
    try await lab.provision(app)
    for (what, grace) in [("restart", Duration.seconds(5)), ("crash", .zero)] {
        let mark = home.events.mark
        try await lab.step(what, within: .seconds(90)) {
            try await lantern.restart(grace: grace)
            try await home.events.next(.joined, since: mark)
            try await home.events.next(.gaveAddress, since: mark)
            try await lantern.prints("state PROVISIONED")
        }
    }
}
