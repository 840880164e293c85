/// The style of the page of `hil play`, beside that of the report.
enum PlayStyle {
    static let style = #"""
        main.play {
          display: grid; grid-template-columns: minmax(280px, 360px) minmax(0, 1fr); gap: 20px 32px; max-width: 2200px;
          grid-template-areas: "head head" "phone desk" "phone lanes" "phone lists"; align-items: start;
          grid-template-rows: auto auto auto 1fr;
          padding-top: clamp(16px, 2vw, 32px);
        }
        main.play section { margin-top: 0; }
        .play-head { grid-area: head; }
        .play-head h1 { font-size: clamp(1.25rem, 1rem + 1vw, 1.8rem); }
        .play-phone { grid-area: phone; position: sticky; top: 72px; display: grid; gap: 8px; justify-items: center; }
        .play-desk {
          grid-area: desk; display: grid; gap: 16px;
          grid-template-columns: minmax(0, 1.4fr) minmax(0, 1fr) minmax(0, 1fr);
        }
        .play-lanes { grid-area: lanes; min-width: 0; }
        .play-lanes h2 { margin-bottom: 8px; }
        .play-lists { grid-area: lists; display: grid; gap: 16px; grid-template-columns: repeat(2, minmax(0, 1fr)); }
        .play h2 { font-size: 0.95rem; margin-bottom: 8px; }
        .play .panel { padding: 14px 16px; min-width: 0; }

        .phone {
          width: min(100%, calc((100vh - 150px) * 393 / 852)); min-width: 230px; padding: 8px; border-radius: 46px;
          background: #16171b; box-shadow: var(--shadow), 0 0 0 1px var(--line);
        }
        #glass {
          position: relative; width: 100%; aspect-ratio: 393 / 852; border-radius: 38px; overflow: hidden; background: var(--card);
          container-type: inline-size;
        }
        #glass img { display: block; width: 100%; height: 100%; }
        .target {
          position: absolute; padding: 0; border: 0; background: transparent; border-radius: 14px;
        }
        .target:hover { background: rgb(120 140 200 / 14%); }
        .target:active { background: rgb(120 140 200 / 30%); }
        .phone-field {
          position: absolute; border: 0; border-radius: 12px; padding: 0 4%; font-size: 4.3cqw; color: #000;
          background: #f2f2f7;
        }
        :root[data-theme="dark"] .phone-field { color: #fff; background: #2c2c2e; }

        .home {
          position: absolute; inset: 0; display: flex; flex-direction: column; gap: 10px; padding: 15% 7% 6%;
          background: linear-gradient(160deg, var(--accent-soft), var(--card) 60%); overflow: auto;
        }
        .home-app { font-weight: 650; font-size: 1.05rem; margin-bottom: 4px; }
        .home-told { color: var(--quiet); font-size: 0.93rem; }
        .app-button, .dock button {
          display: flex; align-items: center; justify-content: space-between; gap: 8px; border: 1px solid var(--line);
          border-radius: 12px; background: var(--card); padding: 10px 14px; text-align: left; font-weight: 550;
        }
        .app-button:hover, .dock button:hover { border-color: var(--accent); }
        .app-button:disabled { color: var(--quiet); cursor: default; }
        .app-button .sign { color: var(--passed); }
        .app-button .sign[aria-label="failed"] { color: var(--failed); }
        .dock { margin-top: auto; display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
        .dock button { justify-content: center; background: var(--stripe); font-size: 0.87rem; padding: 9px 6px; }

        .phase { display: flex; gap: 8px; align-items: baseline; font-weight: 550; }
        .phase .sign { color: var(--running); }
        .phase[data-phase="ended"] .sign { color: var(--passed); }
        .phase[data-phase="failed"] .sign { color: var(--failed); }
        .phase[data-phase="lost"] .sign { color: var(--error); }
        .waits, .suggestions { margin-top: 8px; font-size: 0.9rem; }
        .suggestion { display: inline-block; margin: 2px 6px 0 0; padding: 0 8px; border-radius: 6px; background: var(--accent-soft); }
        #now .missing { font-size: 0.87rem; margin-top: 8px; padding: 8px 12px; }
        .entry {
          display: flex; justify-content: space-between; gap: 8px; width: 100%; margin-top: 6px; padding: 6px 10px;
          border: 1px solid var(--line); border-radius: 8px; background: var(--page); font-size: 0.87rem; flex-wrap: wrap;
        }
        .play .line, dialog .line { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 8px; }
        .play .line button, .play form button, dialog.sheet .line button {
          border: 1px solid var(--line); background: var(--page); border-radius: 8px; padding: 5px 12px; margin: 0;
        }
        .play .line button:hover, .play form button:hover { border-color: var(--accent); }
        .play input[type="range"] { flex: 1; min-width: 110px; accent-color: var(--accent); }
        .play form { display: grid; gap: 6px; }
        .play form label { display: grid; grid-template-columns: 44px minmax(0, 1fr); gap: 8px; align-items: center; font-size: 0.87rem; }
        .play form input, dialog.sheet input {
          border: 1px solid var(--line); border-radius: 8px; background: var(--page); padding: 4px 10px; min-width: 0; width: 100%;
        }
        dialog.sheet .line input { flex: 1; width: auto; }
        .play form button { justify-self: start; }
        .play .rows { max-height: 46vh; min-height: 180px; overflow: auto; padding: 0 6px; }
        .play .lanes { overflow: hidden; }

        @media (max-width: 1300px) {
          .play-desk { grid-template-columns: repeat(2, minmax(0, 1fr)); }
          #now-panel { grid-column: 1 / -1; }
        }
        @media (max-width: 1000px) { .play-lists { grid-template-columns: minmax(0, 1fr); } }
        @media (max-width: 760px) {
          main.play {
            grid-template-columns: minmax(0, 1fr); grid-template-areas: "head" "phone" "desk" "lanes" "lists"; gap: 16px;
          }
          .play-phone { position: static; }
          .play-desk { grid-template-columns: minmax(0, 1fr); }
          .topbar-run { display: none; }
        }
        @media (min-width: 2000px) {
          main.play { grid-template-columns: 440px minmax(0, 1fr); }
          .play .rows { max-height: 56vh; }
        }
        """#
}
