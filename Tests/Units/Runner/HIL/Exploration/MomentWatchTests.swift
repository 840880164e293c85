import HILPhone
import HILRecord
import Testing

@testable import HIL

struct MomentWatchTests {
    @Test("Moments of one kind have numbers, the target is noticed once, and nothing counts before the beginning")
    func numbers() {
        let target = Moment(.attribute, "write(FF03)", number: 2)
        let watch = MomentWatch([target])
        #expect(watch.pass(.attribute, "write(FF03)") == nil)
        watch.begin()
        #expect(watch.pass(.attribute, "write(FF03)") == nil && watch.missing == 1)
        #expect(watch.pass(.attribute, "write(FF03)") == target && watch.missing == 0)
        #expect(watch.pass(.attribute, "write(FF03)") == nil)
        #expect(watch.end().map(\.moment.number) == [1, 2, 3])
        #expect(watch.pass(.attribute, "write(FF03)") == nil, "it has ended")
    }

    @Test("What repeats without end is no moment")
    func most() {
        let watch = MomentWatch([])
        watch.begin()
        for _ in 0..<50 { watch.pass(.attribute, "notify(FF04)") }
        #expect(watch.end().count == Moment.mostNumbers)
    }

    @Test("A screen that changes what it says is one moment, and the app between two screens separates them")
    func screens() {
        let watch = MomentWatch([])
        watch.begin()
        let (empty, full) = (Screen(.picker, title: "Lamps"), Screen(.picker, title: "Lamps", lines: ["Lamp 7"]))
        for screen in [empty, full, nil, full] { _ = watch.see(screen) }
        #expect(watch.end().map { "\($0.moment)" } == ["screen(picker)", "screen(picker)#2"])
    }

    @Test("Two faults are noticed in their order only")
    func two() {
        let (first, second) = (Moment(.step, "step(pair)"), Moment(.step, "step(join)"))
        let watch = MomentWatch([first, second])
        watch.begin()
        #expect(watch.step("join") == nil)
        #expect(watch.step("pair") == first)
        #expect(watch.step("join") == nil, "its second coming is another moment")
        #expect(watch.missing == 1)
    }

    @Test("Only what the app is told after the fault counts as news, and only what is bad")
    func news() {
        let watch = MomentWatch([])
        watch.begin()
        _ = watch.told("didDisconnectPeripheral", isBadNews: true)
        watch.listen()
        _ = watch.told("didConnect", isBadNews: false)
        _ = watch.told("didWriteValueFor", isBadNews: true)
        _ = watch.take(.told("com.example.lamp", "completion: no error"))
        _ = watch.take(.told("com.example.lamp", "completion: ASError.userCancelled"))
        _ = watch.take(.told("com.example.lamp", "joining “Lamp”: done"))
        #expect(watch.ownEnd == nil)
        _ = watch.told("didDisconnectPeripheral", isBadNews: false)
        #expect(watch.ownEnd == "didDisconnectPeripheral")
        #expect(watch.news == ["didWriteValueFor", "completion: ASError.userCancelled"])
        _ = watch.take(.told("com.example.lamp", "joining “Lamp”: the app is not in the foreground"))
        #expect(watch.news.last == "joining “Lamp”: the app is not in the foreground")
    }
}
