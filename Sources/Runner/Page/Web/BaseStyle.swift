extension PageStyle {
    /// The light colours, also used on paper.
    private static let light = """
        --page: #fafaf8; --card: #ffffff; --ink: #1b1d22; --ink-soft: #4a4e57; --quiet: #6a6f7a; --line: #e2e2de; --line-soft: #ededea; --stripe: #f4f4f1;
        --accent: #2457c5; --accent-soft: #e8eefb;
        --passed: #1f7a4a; --failed: #c02b2b; --error: #8331a8; --flaky: #9a6200; --skipped: #6a6f7a; --running: #2457c5;
        --passed-soft: #e4f2ea; --failed-soft: #fbe9e7; --error-soft: #f4e8f9; --flaky-soft: #faf0dc; --skipped-soft: #eeeeeb; --running-soft: #e8eefb;
        --step: #e3e9f6; --step-line: #9db2de;
        --lane-scenario: #4a4e57; --lane-person: #b4540a; --lane-phone: #2457c5; --lane-app: #6b3fc0; --lane-accessory: #0f766e; --lane-air: #9a6200;
        --lane-bluetooth: #3574d4; --lane-wifi: #0e8a6d; --lane-hostBoard: #7a8190; --lane-accessoryBoard: #7a8190; --lane-runner: #9a9fab;
        """

    /// Colours, type, and what both screens share.
    static let base = #"""
        :root {
          color-scheme: light;
          \#(light)
          --shadow: 0 1px 2px rgb(20 22 28 / 5%), 0 6px 20px rgb(20 22 28 / 4%);
          --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
        }

        :root[data-theme="dark"] {
          color-scheme: dark;
          --page: #121316; --card: #1a1c20; --ink: #ecedef; --ink-soft: #bfc3cb; --quiet: #949aa6; --line: #2d3036; --line-soft: #24272c; --stripe: #1d1f24;
          --accent: #8db0ff; --accent-soft: #202b45;
          --passed: #64c995; --failed: #ff8a80; --error: #d39bf0; --flaky: #e6b45c; --skipped: #949aa6; --running: #8db0ff;
          --passed-soft: #17301f; --failed-soft: #3b1d1c; --error-soft: #321d3d; --flaky-soft: #35280f; --skipped-soft: #26282d; --running-soft: #202b45;
          --step: #26324d; --step-line: #51699e;
          --lane-scenario: #bfc3cb; --lane-person: #f0a35e; --lane-phone: #8db0ff; --lane-app: #b79cf5; --lane-accessory: #5fc7bd; --lane-air: #e6b45c;
          --lane-bluetooth: #76a5f2; --lane-wifi: #5cc9ab; --lane-hostBoard: #8a919e; --lane-accessoryBoard: #8a919e; --lane-runner: #737985;
          --shadow: 0 1px 2px rgb(0 0 0 / 40%);
        }

        * { box-sizing: border-box; }

        html {
         
          font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, Inter, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, sans-serif;
          background: var(--page); color: var(--ink); -webkit-text-size-adjust: 100%; scroll-padding-top: 64px;
        }
        body { margin: 0; overflow-wrap: anywhere; }
        h1, h2, h3, h4, h5, p, dl, dd, ul, pre { margin: 0; padding: 0; }
        h1 {
          font-size: clamp(1.7rem, 1.2rem + 1.8vw, 2.5rem); line-height: 1.15; font-weight: 650;
          letter-spacing: -0.022em; text-wrap: balance;
        }
        h2 { font-size: 1.13rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.011em; }
        h3 { font-size: 1.07rem; font-weight: 650; font-variant-numeric: tabular-nums; }
        h4 { font-size: 0.87rem; font-weight: 650; }
        h5 { font: 500 0.8rem/1.4 var(--mono); color: var(--quiet); }
        a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
        code, kbd, pre { font-family: var(--mono); font-size: 0.86em; }
        pre { white-space: pre-wrap; }
        ul { list-style: none; }
        button, select, input { font: inherit; color: inherit; }
        button { cursor: pointer; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
        [hidden] { display: none !important; }

        .quiet { color: var(--quiet); font-weight: 400; }
        .fine { color: var(--quiet); font-size: 0.87rem; }
        .unseen { position: fixed; opacity: 0; }
        .sign { flex: none; width: 1.07em; height: 1.07em; vertical-align: -0.17em; }

        main { padding: clamp(20px, 3.5vw, 56px) clamp(16px, 4vw, 64px) 96px; margin: 0 auto; max-width: 1560px; }
        main.scenario { max-width: 2200px; }
        section { margin-top: 40px; }

        .topbar {
          position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 12px;
          padding: 10px clamp(16px, 4vw, 64px); background: color-mix(in srgb, var(--page) 88%, transparent);
          backdrop-filter: blur(12px); border-bottom: 1px solid var(--line);
        }
        .mark {
          font-weight: 750; letter-spacing: -0.03em; font-size: 1.2rem; color: var(--ink); text-decoration: none;
        }
        .topbar-run {
          color: var(--quiet); font: 0.87rem var(--mono); white-space: nowrap; overflow: hidden;
          text-overflow: ellipsis;
        }
        .topbar-tools { margin-left: auto; display: flex; gap: 8px; }
        .topbar button, .tools button, .segments button, .moment-title button, .comparison-told button {
          border: 1px solid var(--line); background: var(--card); border-radius: 8px; min-width: 34px; height: 32px;
          padding: 0 10px; color: var(--ink-soft);
        }
        .topbar button:hover, .tools button:hover, .segments button:hover, .moment-title button:hover {
          border-color: var(--quiet); color: var(--ink);
        }
        .live {
          display: inline-flex; gap: 4px; align-items: center; color: var(--running); font-size: 0.87rem;
          font-weight: 600;
        }
        [data-lost] .live { color: var(--failed); text-decoration: line-through; }

        [data-verdict] { --tone: var(--skipped); --tone-soft: var(--skipped-soft); }
        [data-verdict="passed"] { --tone: var(--passed); --tone-soft: var(--passed-soft); }
        [data-verdict="failed"] { --tone: var(--failed); --tone-soft: var(--failed-soft); }
        [data-verdict="error"] { --tone: var(--error); --tone-soft: var(--error-soft); }
        [data-verdict="flaky"] { --tone: var(--flaky); --tone-soft: var(--flaky-soft); }
        [data-verdict="running"], [data-verdict="waiting"] { --tone: var(--running); --tone-soft: var(--running-soft); }

        .badge {
          display: inline-flex; align-items: center; gap: 6px; padding: 3px 10px 3px 7px; border-radius: 999px;
          background: var(--tone-soft); color: var(--tone); font-weight: 600; font-size: 0.87rem; line-height: 1.5;
          white-space: nowrap;
        }
        .badge.small { padding: 1px 9px 1px 6px; font-size: 0.8rem; }
        .tag {
          display: inline-block; padding: 0 8px; border-radius: 6px; background: var(--skipped-soft);
          color: var(--ink-soft); font-size: 0.8rem; line-height: 1.7; text-decoration: none; white-space: nowrap;
        }
        a.tag:hover { color: var(--ink); background: var(--line); }
        .tag.axis {
          background: var(--accent-soft); color: var(--accent); font-family: var(--mono); font-size: 0.75rem;
        }
        .tag.rule-tag { background: none; border: 1px solid var(--line); line-height: 1.55; }

        .section-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; margin-bottom: 14px; }
        .told { color: var(--quiet); font-size: 0.9rem; }
        .section-head > .tools, .section-head > .segments, .section-head > .choosers {
          margin-left: auto; align-self: center;
        }

        .remark, .missing, .calm {
          display: flex; gap: 10px; align-items: baseline; margin-top: 14px; padding: 10px 14px; border-radius: 10px;
          background: var(--flaky-soft); color: var(--ink);
        }
        .remark .sign, .missing .sign { color: var(--flaky); }
        .calm { background: var(--passed-soft); }
        .calm .sign { color: var(--passed); }

        .panel {
          background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 20px 22px;
          box-shadow: var(--shadow);
        }

        .command {
          display: flex; align-items: center; gap: 10px; max-width: 100%; padding: 7px 12px;
          border: 1px solid var(--line); border-radius: 10px; background: var(--card); text-align: left;
          position: relative;
        }
        .command:hover { border-color: var(--quiet); }
        .command code { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
        .command-label { color: var(--quiet); font-size: 0.87rem; white-space: nowrap; }
        .command .sign { color: var(--quiet); margin-left: auto; }
        .command[data-told]::after {
          content: attr(data-told); position: absolute; right: 8px; top: 50%; translate: 0 -50%; background: var(--ink);
          color: var(--page); font-size: 0.8rem; border-radius: 6px; padding: 2px 8px;
        }

        dialog {
          border: 1px solid var(--line); border-radius: 16px; background: var(--card); color: var(--ink);
          padding: 28px 32px; max-width: min(520px, calc(100vw - 32px));
        }
        dialog::backdrop { background: rgb(10 11 14 / 45%); }
        dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 8px 20px; margin: 18px 0; }
        dialog dt { display: flex; gap: 4px; justify-content: flex-end; }
        dialog button {
          margin-top: 18px; border: 1px solid var(--line); background: var(--page); border-radius: 8px;
          padding: 5px 16px;
        }
        kbd {
          border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 6px; padding: 0 7px;
          background: var(--page); white-space: nowrap;
        }

        @media print {
          :root, :root[data-theme="dark"] {
            \#(light)
            color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --ink-soft: #222; --quiet: #444; --line: #bbb;
            --line-soft: #ddd; --shadow: none; --passed: #14532d; --failed: #991b1b; --error: #581c87; --flaky: #713f12;
          }
          html { font-size: 11px; }
          main { padding: 0; max-width: none; }
          .topbar,
          .filters,
          .tools,
          .segments,
          .choosers,
          .back,
          .permalink,
          .moment-title button,
          .comparison-told button {
            display: none !important;
          }
          a { color: inherit; text-decoration: none; }
          .card, .panel, .problem, .moment-box, .step, .row, .frame-shot { break-inside: avoid; }
          .of-light + .of-dark { display: none !important; }
          .of-light { display: block !important; }
          .storyboard { flex-wrap: wrap; overflow: visible !important; margin-inline: 0 !important; }
          .columns { display: block !important; }
          * { animation: none !important; transition: none !important; }
        }

        @media (prefers-reduced-motion: no-preference) {
          a, button, .card { transition: border-color 0.12s, background-color 0.12s, color 0.12s; }
        }
        """#
}
