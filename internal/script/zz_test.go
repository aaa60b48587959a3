package script
import ("testing";"fmt";"time";"sync";"strings")
func TestZZ(t *testing.T){
 var wg sync.WaitGroup
 for i := range 40 { wg.Go(func(){
 w,err := startWorker(t.Context())
 if err != nil { fmt.Println(err); return }
 w.run(t.Context(), job{Code:"let s=''; for (let i=0;i<1e4;i++) s+= i; 1", Data: []byte("{}"), Limits: Limits{Time: time.Second*10, Memory: 32<<20, Output: 1000}})
 _,_,err = w.run(t.Context(), job{Code:"'x'.repeat(1<<30)", Data: []byte("{}"), Limits: Limits{Time: time.Second*10, Memory: 32<<20, Output: 1000}})
 if !strings.Contains(err.Error(), "memory") { fmt.Println(i, err, w.errors.String()[:min(3000,len(w.errors.String()))]) }
 w.end()
 })}
 wg.Wait()
}
