import VirtualRig

/// The text of `hil --help`.
enum Help {
    static let version = "0.1.0"

    static let text = """
        hil \(version): runs an accessory and a simulated phone against each other, on two boards

        usage: hil run [PATTERN…] [FILTER…] [OPTION…]
               hil list [PATTERN…] [FILTER…] [--out DIR] [--format text|json]
               hil rules [RULE…] [--check] [--out DIR] [--format text|json]
               hil check --app DIR [--format text|json]
               hil history [SCENARIO] [--last N] [--out DIR] [--format text|json]
               hil history import RUN… [--out DIR]
               hil compare RUN|last-good RUN [--fail-on-regression] [--least-change 20%,100ms] [--out DIR]
                           [--format text|json]
               hil parity RUN RUN [--least-change 50%,500ms] [--out DIR] [--format text|json]
               hil report [RUN…] [--baseline RUN|last-good|FILE] [--to DIR] [--junit FILE] [--single-file FILE] [--out DIR]
               hil watch [RUN] [--port N] [--out DIR]
               hil play [SCENARIO] [--record NAME] [--port N] [--boards KIND] [--accessory SYSTEM] [--no-build]
               hil record [SCENARIO] [--device NAME|ADDRESS] [--as NAME] [--passkey NUMBER] [--rig HOST,ACCESSORY|none]
                          [--boards KIND] [--accessory SYSTEM] [--no-build]
               hil init NAME|--here [--url URL [--branch NAME]]
               hil capture RUN/SCENARIO [OPTION OF TSHARK…]
               hil tap [DISPLAY-FILTER]
               hil open RUN/SCENARIO [--shell host|accessory] [--out DIR]
               hil shell host|accessory [--rig NAME] [--boards KIND] [--accessory SYSTEM] [-- COMMAND…]
               hil setup [--accessory SYSTEM]
               hil kernel build | key | export FILE | import FILE
               hil bench prepare BOARD… [--adapter ADDRESS] [--interface NAME]
               hil bench restore BOARD…
               hil bench list [--coordinator HOST:PORT] [--format text|json]
               hil bench release [PLACE [--force]] [--coordinator HOST:PORT] [--format text|json]
               hil doctor [--rig HOST,ACCESSORY|labgrid:PLACE]

        commands
          run      runs scenarios; all of them if no pattern is given
          list     shows the scenarios: name, tags, title
          rules    lists the phone's rules, what covers each, and the last results; for rules (K3) or families of
                   rules (K) it shows every test and scenario; --check exits with 1 if a rule that must be covered
                   is not covered, or if a test of it fails
          check    checks an app's Info.plist, entitlements and product pictures; needs no rig; exits with 1 if
                   something is wrong
          history  shows what became of each scenario in earlier runs, how often it was flaky and how long it takes; of
                   one scenario each result, its steps, and from 50 runs on where their times changed for good;
                   of the 50 newest results, or of --last N. Every run is
                   kept in history.sqlite beside the runs' folders; import adds older runs, or those of other machines
          compare  shows what is different in the second of two runs: what newly failed, is fixed or newly flaky, new
                   and gone scenarios, and steps that are slower by the test of Mann and Whitney, over the history's
                   runs on the same machine and boards; a change must be of 20 % and 100 ms, or what --least-change
                   says. last-good is the newest run before the second that ended well on the same kind of rig
          parity   shows where two runs of the same scenarios on unlike rigs differ: in their verdicts, in what happened
                   in which order, numbers and addresses apart, and in times; each time that differs by 50 % and 500 ms,
                   or by what --least-change says
          report   writes the page of a run, index.html in its folder; of the latest if none is named. Of several runs,
                   such as the shards of one night, it writes one page and one junit.xml into results/report, or into
                   --to DIR; --junit FILE names that file, --junit-flavor its dialect. --single-file FILE writes a page
                   of at most 10 MB that needs nothing beside it, with what failed whole, to be sent by mail
          watch    serves the page of a run that goes on, the latest if none is named: on a port of this machine alone,
                   under an address with a secret in it, and only as long as the command runs
          play     runs one scenario with you as its person: the phone is in the browser, on a port of this machine alone,
                   under an address with a secret in it; beside it the lanes and packets as they happen. You tap, type,
                   open Settings, move the boards and post notifications. Without a name it is the scenario with the tag
                   play, or the only one. --record NAME writes what you did as a scenario of that name. No result is kept
          record   writes the accessory that a scenario switches on, or with --device one that is on the air already, as
                   a declaration in Swift: advertisement, services, values, and what needs a paired phone. It is
                   for a device on a bench, --rig HOST,none, above all; --as names the constant
          init     writes a package for your app, your accessory and your scenarios into the new folder NAME; with
                   --here it adds to the current folder what is missing there; the package depends on this checkout,
                   or on the repository at URL
          capture  shows a scenario's packets in tshark, with Wi-Fi decrypted: hil capture latest/NAME -Y btatt
          tap      shows the packets on the air of a running rig, or of the next rigs, as they pass: when, who, what
          open     restores both boards of a failed scenario as they were when it failed; RUN may be latest
          shell    opens a root shell on a board of a running rig, or of fresh boards; or runs one command there
          setup    makes what the virtual rig needs and does not have yet: board image, RootCanal, snapshot
          kernel   builds the kernel of native boards, which takes minutes, once; or prints its name in the cache, or
                   carries it from one machine to another of the same system
          bench    prepares real boards for runs: installs what is missing there, and hil's program for boards; restore
                   takes it off again. BOARD is a name of your SSH configuration, or local. list shows the places of a labgrid
                   coordinator: who holds them, since when, and their boards; release gives back what your killed jobs
                   hold, or a named place of one of your jobs, or with --force a named place whoever holds it. The
                   coordinator is LG_COORDINATOR, or else this machine's own
          doctor   shows what is installed, what is missing, and how to get it; with --rig, what the boards of a bench
                   have and what stands in the way of a run

        A pattern is a part of a scenario's name or title, or a whole name or title with * and ?. Upper and
        lower case are the same. A full name chooses only the scenario of that name. Several patterns choose the
        scenarios that any of them matches. With filters, a scenario must also pass every filter.

        filters
          --tag TAGS         by tags, with and, or, not and parentheses: --tag "smoke and not wifi"
          --where NAME=VALUE only these cases of a matrix: --where security=wpa3
          --last-failed      only scenarios that failed in their last run, or had an error of the rig
          --shard I/N        every N-th of the remaining scenarios, beginning with number I

        Scenarios run in the order of the list. On several rigs new scenarios begin first, then those that took
        longest in earlier runs.

        options
          --jobs N        use N rigs at the same time; by default one for each core, or three for two cores with native
                          boards, if there is enough memory
          --boards KIND   native: Linux as processes of this machine, three times as fast as translated boards;
                          qemu: QEMU, with KVM if that runs here; by default auto, the fastest that runs here
          --accessory SYSTEM
                          the accessory board's system: debian12 (BlueZ 5.66) or debian13 (BlueZ 5.82), the default; the
                          first use builds its image, in one to three minutes
          --accessory-rootfs FILE.tar
                          a root file system of your own for the accessory board, with its kernel and modules; what it
                          lacks is told before a board boots
          --rig RIG       instead of virtual boards: HOST,ACCESSORY, two boards that are reached by SSH under these names
                          (local is this machine, none for an accessory that is a device), or labgrid:PLACE
          --shuffle [N]   run in a random order; the seed N gives the same order again, and is printed
          --repeat N      run everything N times, round by round
          --until-fail    run everything again and again until something does not pass; at most --repeat times
          --dry-run       show what would run, in order, and start nothing
          --retries N     run a scenario that did not pass again, at most N times; every attempt is kept
          --budget TIME   how long the run may take, such as 30min; by default the sum of its scenarios' budgets, and
                          90 s more for each
          --strict        exit with 3 if a scenario passed only on a retry
          --keep LIMIT    keep at most this many runs, or this many bytes of runs: 20, 2GiB, or all; by default both:
                          20,2GiB
          --no-build      run the program as it is, even if its sources are newer (for list, rules and setup as well);
                          otherwise it is built first, and exits with 2 if the build fails
          --firmware LABEL
                          the accessory's firmware, which stands in every result, in the reports and in the history;
                          without it, what the accessory's version hook says
          --baseline RUN  the earlier run with which the run is compared at its end: a run's name or folder, its
                          events.jsonl, or last-good, the default: the newest run in which nothing failed and no rig
                          failed, and that has most of the same cases
          --junit-flavor github
                          say file and line of each case in junit.xml, which GitHub's readers mark; otherwise plain
          --no-keys       keep no Wi-Fi keys beside the captures
          --out DIR       the folder for the run's folder; by default results/ beside Package.swift
          --pause-on-failure
                          keep the rig of a failed scenario as it is until Enter is pressed
          --no-snapshots  keep no boards; otherwise the boards of the first 5 failures of a run are kept, for hil open
          --format json   print one event per line, as in events.jsonl
          --version       the version of hil

        exit codes
          0    every scenario passed, was skipped because the rig lacks something, or is in quarantine
          1    a scenario failed because of the accessory or the app
          2    the rig failed, or something is missing: nothing is known about the product
          3    a scenario is flaky, and --strict was given
          4    something newly failed or is slower, and --fail-on-regression was given
          64   the command line is wrong
          130  interrupted (143 by SIGTERM, 129 by SIGHUP); the finished scenarios are reported

        environment
          GITHUB_STEP_SUMMARY  a file to which the run's summary.md is appended, as GitHub's workflows set it
          HIL_SSH_CONFIG  another file than ~/.ssh/config
          LG_COORDINATOR  the address of labgrid's coordinator; LG_USERNAME and LG_HOSTNAME name the holder of a place
          HIL_CACHE   the folder of image, snapshot and RootCanal; by default ~/.cache/hil; with /var/tmp and the
                      results, a first set-up and a run need \(DiskNeed.whole) MB of disk in all
          HIL_NO_BUILD  1 is the same as --no-build, but prints no message
          HIL_PROBE_SECONDS  how long a kernel may take to show that it runs on this machine; by default 6
          HIL_ROOT    the folder of Package.swift, when hil is not run inside it
        """
}
